/** The part of Swagger UI that the documentation uses; its global comes from a script of its own, without declarations. */
declare function SwaggerUIBundle(options: object): { layoutActions: { parseDeepLinkHash(hash: string): void } };

/** What Swagger UI gives to a plugin. */
interface SwaggerSystem {
  React: SwaggerReact;
}

interface SwaggerReact {
  createElement(type: unknown, properties?: object | null, ...children: unknown[]): SwaggerElement;
  cloneElement(element: SwaggerElement, properties: object): SwaggerElement;
}

/** An element of Swagger UI's React. */
interface SwaggerElement {
  readonly type: unknown;
}

/** What Swagger UI gives to a component. */
interface SwaggerProperties {
  getComponent(name: string, isContainer?: boolean): unknown;
  specSelectors: { loadingStatus(): string; specStr(): string };
}
