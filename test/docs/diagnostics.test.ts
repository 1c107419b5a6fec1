// docs/diagnostics.md says everything the program can say, and nothing else.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import ts from 'typescript'
import { readCatalogue } from '../../scripts/docs/catalogue.js'
import { diagnosticsPage } from '../../scripts/docs/diagnostics-page.js'
import { expanded } from '../../scripts/docs/examples.js'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const page = readFileSync(join(root, 'docs/diagnostics.md'), 'utf8')
const documented = [...page.matchAll(/^<a id="([^"]+)"><\/a>$/gm)].map(([, code = '']) => code)
const used = codesInSources()

t.test(
  'the page is what npm run docs makes: every code has an example, and every example raises its code',
  async (t) => {
    t.ok((await diagnosticsPage(root)) === page, 'run "npm run docs"')
  },
)

t.test('every code that the source raises is on the page', async (t) => {
  t.ok(used.codes.size > 150, `${used.codes.size} codes were found`)
  t.same(
    [...used.codes].filter((code) => !documented.includes(code)),
    [],
  )
  t.same(
    used.patterns.filter((pattern) => !documented.some((code) => pattern.test(code))).map(String),
    [],
    'codes that are put together',
  )
})

t.test('every code on the page is raised somewhere', async (t) => {
  const unused = documented.filter((code) => !used.texts.has(code) && !used.patterns.some((one) => one.test(code)))
  t.same(unused, [])
})

t.test('codes are lower-case words with a dot between area and problem, each with an anchor of its own', async (t) => {
  t.equal(new Set(documented).size, documented.length)
  t.same(
    documented.filter((code) => !/^[a-z]+(-[a-z]+)*\.[a-z0-9]+(-[a-z0-9]+)*$/.test(code)),
    [],
  )
  const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor = '']) => anchor)
  const headings = [...page.matchAll(/^## (.+)$/gm)].map(([, title = '']) =>
    title.toLowerCase().replace(/[^a-z0-9 -]/g, ''),
  )
  const anchors = new Set([...documented, ...headings.map((title) => title.replaceAll(' ', '-'))])
  t.same(
    links.filter((anchor) => !anchors.has(anchor)),
    [],
  )
  const rules = readFileSync(join(root, 'docs/rules.md'), 'utf8')
  const clauses = new Set([...page.matchAll(/\]\(rules\.md#([^)]+)\)/g)].map(([, clause = '']) => clause))
  t.ok(clauses.size > 15)
  t.same(
    [...clauses].filter((clause) => !rules.includes(`<a id="${clause}">`)),
    [],
  )
})

t.test('summaries are short and without a full stop, fixes are sentences', async (t) => {
  const entries = (await readCatalogue()).flatMap((group) => group.entries)
  t.same(
    entries
      .filter(({ summary }) => !/^[A-Z].{3,90}[^.]$/.test(summary))
      .map(({ code, summary }) => `${code}: ${summary}`),
    [],
  )
  // A fix may end with the command or the text to write.
  t.same(
    entries.filter(({ fix }) => !/^[A-Z].+([.]|: .+)$/.test(fix)).map(({ code, fix }) => `${code}: ${fix}`),
    [],
  )
})

t.test('an example may state how often a part is repeated', async (t) => {
  t.equal(expanded('[«x# × 3»] «ab × 2»'), '[x1, x2, x3] abab')
})

/**
 * In the source: codes of `code: '…'`, of rows of tables, and of calls that raise one; patterns of codes that are put
 * together; and every text but the keys of tables, which raise nothing by themselves.
 */
function codesInSources() {
  const codes = new Set<string>()
  const texts = new Set<string>()
  const patterns: RegExp[] = []
  const take = (node: ts.Expression) => {
    if (ts.isStringLiteralLike(node)) {
      if (/^[a-z-]+\.[a-z0-9-]+$/.test(node.text)) codes.add(node.text)
    } else if (ts.isTemplateExpression(node)) {
      const written = [node.head, ...node.templateSpans.map(({ literal }) => literal)].map(({ text }) => text)
      if (!written.every((text) => /^[a-z0-9.-]*$/.test(text))) return // Other things are added to collections, too.
      const tail = node.templateSpans.map(({ literal }) => `[a-z_-]+${literal.text.replaceAll('.', '\\.')}`).join('')
      patterns.push(new RegExp(`^${node.head.text.replaceAll('.', '\\.')}${tail}$`))
    } else if (ts.isConditionalExpression(node)) {
      take(node.whenTrue)
      take(node.whenFalse)
    }
  }
  const visit = (node: ts.Node): void => {
    const isKey = node.parent !== undefined && ts.isPropertyAssignment(node.parent) && node.parent.name === node
    if (ts.isStringLiteralLike(node) && !isKey) texts.add(node.text)
    if (ts.isPropertyAssignment(node)) {
      if (node.name.getText() === 'code') take(node.initializer)
      if (isTableRow(node)) take(ts.isComputedPropertyName(node.name) ? node.name.expression : asExpression(node.name))
    }
    const raises = ts.isCallExpression(node) || ts.isNewExpression(node) ? node.arguments?.[0] : undefined
    if (raises && /(problem|diagnostic|UsageProblem|\.add|Problem\(.*\))$/.test(calleeOf(node))) take(raises)
    ts.forEachChild(node, visit)
  }
  for (const path of sourcePaths()) {
    visit(ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.ES2022, true))
  }
  return { codes, patterns, texts }
}

/** A code and its texts, or a code and a call that makes them. */
function isTableRow({ name, initializer, parent }: ts.PropertyAssignment): boolean {
  const isCode =
    ts.isComputedPropertyName(name) || (ts.isStringLiteral(name) && /^[a-z-]+\.[a-z0-9-]+$/.test(name.text))
  if (!isCode || !ts.isObjectLiteralExpression(parent)) return false
  if (ts.isCallExpression(initializer)) return ['error', 'warning', 'note'].includes(initializer.expression.getText())
  return (
    ts.isObjectLiteralExpression(initializer) && initializer.properties.some((one) => one.name?.getText() === 'summary')
  )
}

function asExpression(name: ts.PropertyName): ts.Expression {
  if (ts.isStringLiteral(name)) return name
  throw new Error(`${name.getText()} is no code`)
}

function calleeOf(node: ts.Node): string {
  return ts.isCallExpression(node) || ts.isNewExpression(node) ? node.expression.getText() : ''
}

/** Emulators speak the providers' codes, not ours. */
function sourcePaths(): readonly string[] {
  return ['core', 'plugins', 'workers', 'server', 'cli'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.includes('emulator/'))
      .map((name) => `${folder}/${name}`),
  )
}
