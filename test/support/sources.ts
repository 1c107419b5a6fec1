// Source files as syntax trees, and their imports, for tests of the code structure.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

export interface Source {
  readonly path: string
  readonly text: string
  readonly tree: ts.SourceFile
}

/** All TypeScript files of a top-level folder. */
export function sourcesIn(folder: string): readonly Source[] {
  return listed(folder).map((path) => {
    const text = readFileSync(join(root, path), 'utf8')
    return { path, text, tree: ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true) }
  })
}

function listed(folder: string): readonly string[] {
  try {
    return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => `${folder}/${name}`)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [] // The folder may not exist.
    throw error
  }
}

/** Module names that a file imports, statically or not; `values` leaves type-only imports out. */
export function importsOf(tree: ts.SourceFile, { values = false } = {}): readonly string[] {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier)
      if (!values || !isTypeOnly(node)) found.push(textOf(node.moduleSpecifier))
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      found.push(...node.arguments.map(textOf))
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}

function isTypeOnly(node: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  return ts.isExportDeclaration(node) ? node.isTypeOnly : node.importClause?.isTypeOnly === true
}

function textOf(node: ts.Node): string {
  return ts.isStringLiteralLike(node) ? node.text : '' // An import of a plugin named in agents.yaml.
}

/** Returns the path of the source that becomes a module. */
function sourceOf(module: string): string {
  const [plain, withElements] = ['.ts', '.tsx'].map((ending) => module.replace(/\.js$/, ending))
  return withElements !== undefined && existsSync(join(root, withElements)) ? withElements : (plain ?? module)
}

/** Paths of the repository's own files that a file imports; `values` leaves type-only imports out. */
export function importedFiles({ path, tree }: Source, options: { readonly values?: boolean } = {}): readonly string[] {
  return importsOf(tree, options)
    .filter((name) => name.startsWith('.'))
    .map((name) => sourceOf(normalize(join(dirname(path), name))))
}

/** Returns strongly connected components with more than one node (Tarjan's algorithm): each contains a cycle. */
export function circles(edges: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const found: string[][] = []
  const visit = (node: string): number => {
    order.set(node, order.size)
    lowest.set(node, order.get(node) ?? 0)
    open.push(node)
    for (const next of edges.get(node) ?? []) {
      const reached = order.has(next) ? (open.includes(next) ? order.get(next) : undefined) : visit(next)
      if (reached !== undefined) lowest.set(node, Math.min(lowest.get(node) ?? 0, reached))
    }
    if (lowest.get(node) === order.get(node)) {
      const circle = open.splice(open.indexOf(node))
      if (circle.length > 1) found.push(circle)
    }
    return lowest.get(node) ?? 0
  }
  for (const node of edges.keys()) if (!order.has(node)) visit(node)
  return found
}
