/** Looks at declarations as a program that uses the package sees them, by the compiler's own interface. */
import { type Node, SyntaxKind } from 'typescript/unstable/ast';
import { API, type Project, type Symbol as Sign, SymbolFlags } from 'typescript/unstable/sync';

/** Programs pass it on. What is in it belongs to the use cases. */
const opaque = 'Runtime';
/** They make what the others take, or need none. */
const withoutRuntime = ['openRuntime', 'readConfiguration', 'plainCure', 'cureText'];
const functions = [SyntaxKind.FunctionDeclaration, SyntaxKind.MethodDeclaration, SyntaxKind.MethodSignature];
const references = [SyntaxKind.TypeReference, SyntaxKind.ExpressionWithTypeArguments, SyntaxKind.ImportType];

/** The parts of nodes that are looked at here. */
interface Parts {
  readonly name?: Node & { readonly text?: string };
  readonly typeName?: Node;
  readonly expression?: Node;
  readonly qualifier?: Node;
  readonly right?: Node;
  readonly text?: string;
  readonly parameters?: readonly (Node & Parts)[];
  readonly typeArguments?: readonly (Node & Parts)[];
  readonly type?: Node & Parts;
  readonly questionToken?: Node;
  readonly dotDotDotToken?: Node;
}

/**
 * Follows everything that the entries export to the types that it takes and returns.
 * @param tsconfig of a program; its own errors are faults, too.
 * @param entries declaration files of the package; the first has the use cases.
 * @returns what a program could not name, would find no words for, or would have to give needlessly.
 */
export function findFaults(tsconfig: string, entries: readonly string[]): readonly string[] {
  const api = new API();
  try {
    const [project] = api.updateSnapshot({ openProjects: [tsconfig] }).getProjects();
    if (project === undefined) throw new Error(`no project ${tsconfig}`);
    const own = project.rootFiles.flatMap((file) => project.program.getSemanticDiagnostics(file));
    return [...own.map(({ text }) => text), ...new Walk(project, entries).run()];
  } finally {
    api.close();
  }
}

class Walk {
  readonly #project: Project;
  /** The folder of the package. */
  readonly #root: string;
  readonly #entries: readonly (readonly Sign[])[];
  readonly #exported: ReadonlySet<number>;
  readonly #seen = new Set<number>();
  readonly #faults: string[] = [];

  constructor(project: Project, entries: readonly string[]) {
    this.#project = project;
    this.#root = entries[0]?.replace(/\/dist\/.*$/, '/dist/src/').toLowerCase() ?? '';
    this.#entries = entries.map((entry) => this.#exportsOf(entry));
    this.#exported = new Set(this.#entries.flat().map(({ id }) => id));
  }

  run(): readonly string[] {
    for (const sign of this.#entries[0] ?? []) {
      if (sign.flags & SymbolFlags.Function && !withoutRuntime.includes(sign.name)) this.#checkRuntime(sign);
    }
    for (const sign of this.#entries.flat()) this.#visit(sign, 'the package');
    return this.#faults;
  }

  #exportsOf(entry: string): readonly Sign[] {
    const { program, checker } = this.#project;
    const file = program.getSourceFile(entry);
    const module = file && checker.getSymbolAtLocation(file);
    if (module === undefined) throw new Error(`no program uses ${entry}`);
    return checker.getExportsOfModule(module).map((sign) => this.#resolved(sign));
  }

  #resolved(sign: Sign): Sign {
    return sign.flags & SymbolFlags.Alias ? this.#project.checker.getAliasedSymbol(sign) : sign;
  }

  #visit(sign: Sign, from: string): void {
    if (this.#seen.has(sign.id) || sign.flags & SymbolFlags.TypeParameter) return;
    this.#seen.add(sign.id);
    const declarations = sign.declarations.filter(({ path }) => path.toLowerCase().startsWith(this.#root));
    if (declarations.length === 0) return;
    const { checker } = this.#project;
    if (!this.#exported.has(sign.id)) this.#faults.push(`${sign.name}, which ${from} names, is not exported`);
    const words = checker.getDocumentationCommentOfSymbol(sign);
    if (words.trim() === '' && checker.getJsDocTagsOfSymbol(sign).length === 0)
      this.#faults.push(`${sign.name} has no docstring`);
    if (sign.name === opaque) return;
    for (const declaration of declarations) {
      const node = declaration.resolve(this.#project);
      if (node) this.#follow(node, sign.name);
    }
  }

  #follow(node: Node, from: string): void {
    // Programs do not construct what they are given, nor name the values that types are made of.
    if (node.kind === SyntaxKind.Constructor || node.kind === SyntaxKind.TypeQuery) return;
    if (functions.includes(node.kind)) this.#checkOptions(node, from);
    if (references.includes(node.kind)) {
      const { typeName, expression, qualifier } = node as Node & Parts;
      const name = (typeName ?? expression ?? qualifier) as (Node & Parts) | undefined;
      const sign = name && this.#project.checker.getSymbolAtLocation(name.right ?? name);
      if (sign) this.#visit(this.#resolved(sign), from);
    }
    node.forEachChild((child) => void this.#follow(child, from));
  }

  #checkRuntime(sign: Sign): void {
    const node = sign.declarations[0]?.resolve(this.#project) as (Node & Parts) | undefined;
    const type = node?.parameters?.[0]?.type;
    const name = nameOf(type);
    const isRuntime = name === 'Pick' ? nameOf(type?.typeArguments?.[0]) === opaque : name?.endsWith(opaque);
    if (!isRuntime) this.#faults.push(`${sign.name} does not take the runtime first`);
  }

  /** The last parameters need not be given if they may be `{}`. */
  #checkOptions(node: Node & Parts, from: string): void {
    const { checker } = this.#project;
    for (const { type, questionToken, dotDotDotToken, name } of node.parameters?.toReversed() ?? []) {
      if (questionToken || dotDotDotToken) continue;
      const found = type && checker.getTypeAtLocation(type);
      const properties = found ? checker.getPropertiesOfType(found) : [];
      const mayBeEmpty =
        properties.length > 0 && properties.every(({ flags }) => flags & SymbolFlags.Optional);
      if (!mayBeEmpty) return;
      this.#faults.push(
        `${node.name?.text ?? from} of ${from} demands ${name?.text ?? 'options'}, which may be empty`,
      );
    }
  }
}

function nameOf(type: (Node & Parts) | undefined): string | undefined {
  return (type?.typeName as (Node & Parts) | undefined)?.text;
}
