/**
 * Checks the types of the console's modules, and that each of its texts is used: `node check.mjs <folder of TypeScript>`, in
 * the project's folder and with the API description as JSON on standard input. Prints what is wrong.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";

const ts = createRequire(import.meta.url)(resolve(process.argv[2], "typescript.js"));
const METHODS = ["get", "post", "put", "patch", "delete"];
const TYPES = "target/types";
const TEXTS = "src/main/resources/page/console/messages";
const MESSAGES = resolve(TYPES, "messages.d.ts");

const written = (value) => JSON.stringify(value);

/** A schema of JSON Schema as a type; what only limits a value, such as a pattern, is left out. */
function typeOf(schema) {
  const parts = [];
  if (schema.$ref) {
    const [name, ...properties] = schema.$ref.replace("#/components/schemas/", "").split("/properties/");
    parts.push(`Schemas${[name, ...properties].map((key) => `[${written(key)}]`).join("")}`);
  }
  if ("const" in schema) {
    parts.push(written(schema.const));
  } else if (schema.enum) {
    parts.push(schema.enum.map(written).join(" | "));
  } else if (schema.type) {
    parts.push([schema.type].flat().map((type) => typeNamed(type, schema)).join(" | "));
  } else if (schema.properties || schema.required) {
    parts.push(objectType(schema));
  }
  for (const choice of [schema.oneOf, schema.anyOf].filter(Boolean)) {
    parts.push(choice.map(typeOf).join(" | "));
  }
  parts.push(...(schema.allOf ?? []).map(typeOf));
  return parts.length === 0 ? "unknown" : parts.map((part) => `(${part})`).join(" & ");
}

function typeNamed(type, schema) {
  switch (type) {
    case "integer":
      return "number";
    case "array":
      return `(${typeOf(schema.items ?? {})})[]`;
    case "object":
      return objectType(schema);
    default:
      return type;
  }
}

function objectType({ properties = {}, required = [], additionalProperties }) {
  const names = [...new Set([...Object.keys(properties), ...required])];
  const members = names.map((name) => {
    const type = name in properties ? typeOf(properties[name]) : "{} | null"; // anything but undefined
    return `${written(name)}${required.includes(name) ? "" : "?"}: ${type};`;
  });
  if (typeof additionalProperties === "object") {
    members.push(`[name: string]: ${typeOf(additionalProperties)};`);
  }
  return members.length === 0 ? "object" : `{ ${members.join(" ")} }`;
}

function operations({ paths, components }) {
  const resolved = (node) => (node.$ref ? components[node.$ref.split("/")[2]][node.$ref.split("/")[3]] : node);
  const json = (node) => resolved(node ?? {}).content?.["application/json"]?.schema;
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.filter((method) => method in item).map((method) => {
      const { requestBody, responses } = item[method];
      const body = json(requestBody);
      const answers = Object.entries(responses).filter(([status]) => status.startsWith("2")).map(([, response]) => json(response));
      const name = `${method.toUpperCase()} ${path.replace(/^\/v1\//, "").replace(/\{[^}]*\}/g, "{}")}`;
      const bodyType = body ? `[body${resolved(requestBody).required ? "" : "?"}: ${typeOf(body)}]` : "[]";
      return `${written(name)}: { body: ${bodyType}; answer: ${answers.map((answer) => (answer ? typeOf(answer) : "undefined")).join(" | ") || "undefined"} };`;
    }),
  );
}

function writeTypes() {
  const description = JSON.parse(readFileSync(0, "utf8"));
  const schemas = Object.entries(description.components.schemas).map(([name, schema]) => `${written(name)}: ${typeOf(schema)};`);
  mkdirSync(TYPES, { recursive: true });
  writeFileSync(
    resolve(TYPES, "api.d.ts"),
    `interface Schemas {\n${schemas.join("\n")}\n}\ninterface Operations {\n${operations(description).join("\n")}\n}\n`,
  );
  // A JSON object of texts is already a valid type.
  const english = (folder) => readFileSync(`${TEXTS}/${folder}en.json`, "utf8");
  const ofScreens = readdirSync(TEXTS, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  writeFileSync(
    MESSAGES,
    `type Messages = ${english("")}
type ScreenMessages = { ${ofScreens.map(({ name }) => `${written(name)}: ${english(`${name}/`)}`).join(", ")} }`,
  );
}

function errorsIn(program) {
  const host = { getCurrentDirectory: () => process.cwd(), getNewLine: () => "\n", getCanonicalFileName: (name) => name };
  return ts.getPreEmitDiagnostics(program).map((diagnostic) => ts.formatDiagnostic(diagnostic, host).trim());
}

/** How modules refer to texts: one text, one of several by a name known only at run time, or a whole group that is passed on. */
function unusedTexts(program) {
  const checker = program.getTypeChecker();
  const isOfMessages = (symbol) => symbol?.declarations?.some((one) => one.getSourceFile().fileName === MESSAGES) ?? false;
  const used = new Set();

  function addAll(type) {
    for (const property of checker.getPropertiesOfType(type).filter(isOfMessages)) {
      property.declarations.forEach((one) => used.add(one));
      addAll(checker.getTypeOfSymbol(property));
    }
  }

  function add(symbol, node) {
    if (!isOfMessages(symbol)) {
      return;
    }
    symbol.declarations.forEach((one) => used.add(one));
    const isLookedInto =
      (ts.isPropertyAccessExpression(node.parent) || ts.isElementAccessExpression(node.parent)) && node.parent.expression === node;
    if (!isLookedInto && !ts.isVariableDeclaration(node.parent)) {
      addAll(checker.getTypeOfSymbol(symbol));
    }
  }

  function visit(node) {
    if (ts.isPropertyAccessExpression(node)) {
      add(checker.getSymbolAtLocation(node.name), node);
    } else if (ts.isElementAccessExpression(node)) {
      const group = checker.getApparentType(checker.getTypeAtLocation(node.expression));
      const key = checker.getTypeAtLocation(node.argumentExpression);
      const keys = checker.getBaseConstraintOfType(key) ?? key;
      (keys.isUnion() ? keys.types : [keys])
        .filter((one) => one.isStringLiteral())
        .forEach((one) => add(checker.getPropertyOfType(group, one.value), node));
    }
    ts.forEachChild(node, visit);
  }

  program.getSourceFiles().filter((file) => file.fileName.endsWith(".js")).forEach(visit);
  const unused = [];
  function collect(node, path) {
    for (const member of node.members ?? []) {
      const name = [...path, member.name.text].join(".");
      if (ts.isTypeLiteralNode(member.type)) {
        collect(member.type, [...path, member.name.text]);
      } else if (!used.has(member)) {
        unused.push(`messages: ${name} is not used`);
      }
    }
  }
  program.getSourceFile(MESSAGES).statements.forEach(({ type }) => collect(type, []));
  return unused;
}

writeTypes();
const { options, fileNames } = ts.getParsedCommandLineOfConfigFile("src/jsconfig.json", {}, { ...ts.sys, onUnRecoverableConfigFileDiagnostic: console.log });
const program = ts.createProgram(fileNames, options);
const wrong = [...errorsIn(program), ...unusedTexts(program)];
console.log(wrong.join("\n"));
process.exitCode = wrong.length === 0 ? 0 : 1;
