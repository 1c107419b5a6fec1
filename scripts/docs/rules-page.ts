// Generates docs/rules.md: every rule of the agent configuration, with the test files that prove it.
import { proofsOf, rulesWithoutTest } from './proofs.js'
import { type Rule, rules } from './rules.js'

const introduction = `# Rules

What the agent configuration asks for, by the numbers that comments in the code and titles of tests use. A test that
proves a rule begins its title with the number: \`7.9 an absolute mount path outside the root is refused\`.
Providers: P-A is Bailian, P-B is Qoder, P-C is Claude, P-D is Ark.

This page is made by \`npm run docs\` from \`scripts/docs/rules.ts\` and the titles of the tests. A rule without a test
fails the tests. Messages about violated rules are listed in [diagnostics.md](diagnostics.md).
`

export async function rulesPage(root: string): Promise<string> {
  const proofs = proofsOf(root)
  const missing = rulesWithoutTest(proofs)
  if (missing.length > 0) throw new Error(`no test proves ${missing.join(', ')}`)
  const sections = [...new Set(rules.map(({ section }) => section))].map((section) => {
    const rows = rules.filter((rule) => rule.section === section).map((rule) => row(rule, proofs.get(rule.id) ?? []))
    return [`## ${section}`, ['| Rule | What it asks for | Tests |', '|---|---|---|', ...rows].join('\n')].join('\n\n')
  })
  return `${introduction}\n${sections.join('\n\n')}\n`
}

function row({ id, says }: Rule, files: readonly string[]): string {
  const links = files.map((file) => `[${shortName(file)}](../${file})`)
  return `| <a id="${id}"></a>${id} | ${says} | ${links.join(', ')} |`
}

/** Returns the short name of a file, `qoder/rules`. */
function shortName(file: string): string {
  return file.replace(/^test\/(plugins\/)?/, '').replace(/\.test\.ts$/, '')
}
