/**
 * Types of the console's modules that are too long for a comment. No browser loads them, and they are not in the jar.
 * `ConsoleTypesIT` generates `Schemas`, `Operations` and `Messages` from the API description and the English texts, writes
 * them to `target/types`, and checks the modules too.
 */

/** The part of lit-html that the console uses, since the package has no declarations. */
declare module "*/lit-html.js" {
  export const html: (strings: TemplateStringsArray, ...values: unknown[]) => Template;
  export const svg: typeof html;
  export const nothing: unique symbol;
  export function render(template: Template, element: HTMLElement): unknown;
}

/** Markup, as lit-html's `html` creates it. */
interface Template {
  readonly strings: TemplateStringsArray;
  readonly values: unknown[];
}

/** Redraws a part of the page from the current state. */
type View = () => Template;

/** What an address of the console shows. */
interface ConsoleScreen {
  title: string;
  view: View;
  /** Where it is in a project, if it belongs to one. */
  place?: Place;
}

/** A section of a project, as the address names it. */
type PartName =
  | "overview"
  | "users"
  | "organizations"
  | "providers"
  | "factors"
  | "branding"
  | "mails"
  | "quickstart"
  | "keys"
  | "applications"
  | "apis"
  | "webhooks"
  | "tokens"
  | "members"
  | "audit"
  | "settings";

/** The section that is shown, and its project once that is loaded. */
interface Place {
  id: string;
  part: PartName;
  context: ProjectContext | null;
}

/** The project of the screen, and what the person can do with it. */
interface ProjectContext {
  id: string;
  /** The API path of the project, which its other paths begin with. */
  path: ProjectPath;
  isOwner: boolean;
  /** Can change everything but the members. */
  isDeveloper: boolean;
  /** Can change users and their sessions. */
  isSupport: boolean;
  project: Schemas["Project"];
  reload: () => Promise<void>;
}

type ProjectPath = `dashboard/projects/${string}`;

/** An organization whose screen is open. */
interface OrganizationPlace {
  /** The API path of the organization, which its other paths begin with. */
  path: `dashboard/organizations/${string}`;
  /** The address of the screen. */
  here: string;
}

// ---- calls

/** An address without its query, as a path of the description without the names of its parameters. */
type PathOf<Address extends string> = Address extends `${infer Path}?${string}` ? Segments<Path> : Segments<Address>;
type Segments<Path extends string> = Path extends `${infer Head}/${infer Tail}`
  ? `${Segment<Head>}/${Segments<Tail>}`
  : Segment<Path>;
type Segment<Text extends string> = string extends Text ? "{}" : Text;

type Operation<Method extends string, Address extends string> = `${Method} ${PathOf<Address>}` extends infer Name extends
  keyof Operations
  ? Operations[Name]
  : { body: ["The description has no such operation"]; answer: unknown };

/** Sends a body as described, and returns the described answer. */
type Call = <const Method extends string, const Address extends string>(
  method: Method,
  path: Address,
  ...body: Operation<Method, Address>["body"]
) => Promise<Operation<Method, Address>["answer"]>;

/** Like `Call`, with the meaning of a 401. */
type CallWithProof = <const Method extends string, const Address extends string>(
  method: Method,
  path: Address,
  body: Operation<Method, Address>["body"][0],
  textOfWrong: string,
) => Promise<Operation<Method, Address>["answer"]>;

type Post<Root extends string> = <const Address extends string>(
  path: Address,
  ...body: Operation<"POST", `${Root}${Address}`>["body"]
) => Promise<Operation<"POST", `${Root}${Address}`>["answer"]>;

type Refusal = import("../resources/page/console/api.js").ApiError;

interface RefusedField {
  field: string;
  message: string | Template;
}

/** A line of the server's answer to an import. */
type ImportAnswer =
  | { done: true }
  | { error: Schemas["Error"]; done?: undefined }
  | { line: number; status: "created" | "exists"; warnings?: string[]; done?: undefined; error?: undefined }
  | { line: number; status: "failed"; errors: { field?: string; message: string }[]; done?: undefined; error?: undefined };

// ---- texts

type Placeholder<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never;

/** Replaces the placeholders of a text with values. */
type Fill = <Text extends string>(text: Text, values: Record<Placeholder<Text>, string | number>) => string;

// ---- forms

interface CommonField {
  name: string;
  label: string;
  help?: string;
}

interface TextField extends CommonField {
  type?: "text" | "email" | "password" | "url" | "tel" | "date" | "file";
  value?: string | number | null;
  required?: boolean;
  autocomplete?: string;
  inputmode?: string;
  suggestions?: readonly string[];
}

interface LinesField extends CommonField {
  type: "lines";
  value?: string | null;
  rows?: number;
}

type Option = readonly [value: string, text: string];

interface SelectField extends CommonField {
  type: "select";
  value: string;
  options: readonly Option[];
}

/** A number of seconds, which people write in a unit of their choice. */
interface DurationField extends CommonField {
  type: "duration";
  value: number | null | undefined;
}

interface Checkbox extends CommonField {
  type: "checkbox";
  value?: boolean;
}

/** Any number of checkboxes, whose value is a list. */
interface ChoicesField extends CommonField {
  type: "choices";
  value: readonly string[];
  options: readonly Option[];
}

/** The screen's own markup, with the attributes that connect it to its help and its error. */
interface OwnField {
  name: string;
  type: "own";
  help?: string;
  value: () => string | null;
  view: (attributes: { id: string; describedBy: string | symbol; invalid: string | symbol }) => Template;
}

type Field = TextField | DurationField | LinesField | SelectField | Checkbox | ChoicesField | OwnField;

type ValueOf<One extends Field> = One extends { type: "checkbox" }
  ? boolean
  : One extends { type: "select"; options: readonly (readonly [infer Value, string])[] }
    ? Value
    : One extends { type: "choices"; options: readonly (readonly [infer Value, string])[] }
      ? Value[]
      : One extends { type: "own" }
        ? string | null
        : One extends { type: "duration" }
          ? number | string | null
          : string;

/** The typed values, by the names of the fields. */
type Values<Fields extends readonly Field[]> = { [One in Fields[number] as One["name"]]: ValueOf<One> };

interface FormOptions<Fields extends readonly Field[]> {
  fields: Fields | (() => Fields);
  button: string;
  submit: (values: Values<Fields>, element: HTMLFormElement) => unknown;
  /** Gets the values a moment after each change. */
  draft?: (values: Values<Fields>) => unknown;
  isDanger?: boolean;
  isFilter?: boolean;
}

type Form = <const Fields extends readonly Field[]>(key: string, options: FormOptions<Fields>) => View;
