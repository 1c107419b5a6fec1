// docs/diagnostics.md: every code with what it means, an example that raises it, and what to do.

import { renderDiagnostic } from '../../cli/render/diagnostics.js'
import { styleFor } from '../../cli/render/style.js'
import type { Diagnostic } from '../../core/diagnostic.js'
import { type CatalogueEntry, type CatalogueGroup, readCatalogue } from './catalogue.js'
import { exampleDisk, readExamples, runExample } from './examples.js'

const introduction = `# Diagnostics

Everything \`agents\` can say is wrong, by its code. The code stands behind each message in square brackets, and as \`code\`
in the records of \`--json\`; it never changes its meaning. An **error** stops the work, a **warning** is about something
that will probably not do what was meant, a **note** is worth knowing.

The examples are real: each one is read whenever this page is made, and what is printed below it is what
\`agents validate\` says. They leave out \`version\` and \`providers\` where these do not matter, \`«x × 300»\` stands for 300
times x, and \`«key# × 3»\` for key1, key2, key3.

This page is made by \`npm run docs\` from the tables and rules of the program.
`

/** Returns the whole page. Throws if a code has no example, or an example does not report its code. */
export async function diagnosticsPage(root: string): Promise<string> {
  const groups = await readCatalogue()
  const sections = await pageSections(root, groups)
  const contents = groups.map(
    ({ title, about, entries }) => `- [${title}](#${slug(title)}) (${entries.length}): ${about}`,
  )
  return `${[introduction, contents.join('\n'), ...sections].join('\n\n').replace(/\n{3,}/g, '\n\n')}\n`
}

async function pageSections(root: string, groups: readonly CatalogueGroup[]): Promise<readonly string[]> {
  const examples = new Map(readExamples(root))
  const disk = await exampleDisk()
  const sections: string[] = []
  for (const { title, about, entries } of groups) {
    const rows = entries.map(({ code, summary }) => `| [\`${code}\`](#${code}) | ${summary} |`)
    sections.push(`## ${title}`, about, ['| Code | What is wrong |', '|---|---|', ...rows].join('\n'))
    for (const entry of entries) {
      const example = examples.get(entry.code)
      examples.delete(entry.code)
      const raised = example === undefined ? [] : await runExample(entry.code, example, disk)
      sections.push(entryText(entry, example, raised))
    }
  }
  const [unknown] = examples.keys()
  if (unknown !== undefined) throw new Error(`there is an example of ${unknown}, which is no code`)
  return sections
}

function entryText(entry: CatalogueEntry, example: string | undefined, raised: readonly Diagnostic[]): string {
  const { code, severity, summary, meaning, clauses, fix } = entry
  const rules = clauses.map((clause) => `[${clause}](rules.md#${clause.split(' ')[0]})`)
  return [
    `<a id="${code}"></a>\n### \`${code}\``,
    `**${severity}**: ${summary}.${rules.length === 0 ? '' : ` (Rule ${rules.join(', ')}.)`}`,
    ...(meaning === undefined ? [] : [meaning]),
    exampleText(entry, example, raised),
    // An example that ends with the fix already contains it.
    ...(raised.some((one) => one.code === code && one.fix === fix) ? [] : [`**What to do:** ${fix}`]),
  ].join('\n\n')
}

function exampleText(
  { code, example: said }: CatalogueEntry,
  example: string | undefined,
  raised: readonly Diagnostic[],
) {
  if (example === undefined) {
    if (said === undefined) throw new Error(`${code} has no example: add one to scripts/docs/examples`)
    return `> ${said}`
  }
  const own = raised.filter((diagnostic) => diagnostic.code === code)
  if (own.length === 0) throw new Error(`the example of ${code} does not raise it`)
  const told = own.map((diagnostic) => renderDiagnostic(diagnostic, styleFor({}, {}))).join('\n')
  return `\`\`\`yaml\n${example}\n\`\`\`\n\n\`\`\`text\n${told}\n\`\`\``
}

function slug(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-')
}
