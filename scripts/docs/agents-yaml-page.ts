// docs/agents-yaml.md: every key of agents.yaml, from the schemas and rules that check it.
import { allKeys } from '../../cli/reference/find.js'
import { type ExplainedKey, readReference, type Topic } from '../../cli/reference/reference.js'
import { factsOf, groupedRemarks, inlineYaml } from '../../cli/reference/words.js'
import { projectNameText } from '../../core/declaration/project-name.js'
import { builtins } from '../../plugins/builtins.js'
import { examples } from '../../plugins/kinds/examples.js'
import { kinds } from '../../plugins/kinds/index.js'

const introduction = `# agents.yaml

Every key of the file. \`agents explain agent.tools.mcp\` prints the same for one of them, \`agents schema\` writes the
JSON Schema that editors complete and check with, \`agents validate\` says everything that is wrong with a file.

This page is made by \`npm run docs\` from the schemas that check the file; what it says about providers is what their
own rules answer when they are asked about a declaration with that key.

## The file

\`\`\`yaml
version: "1"            # in quotes; required
project: shop           # the name on the marks of its objects; by default that of the folder
providers:              # one block for each provider that is used; required
  qoder: { api_key: "\${QODER_PAT}" }
defaults: { provider: qoder }
environments: { … }     # and the other sections below, each a map from name to declaration
agents: { … }
x-mine: { … }           # keys that begin with x- are yours: anchors and remarks
\`\`\`

A **name** (\`agents.NAME\`) has 1 to 128 characters on one line. Other declarations refer to it, and the address
\`qoder.agent.NAME\` is made of it. Order does not matter: what is used is created first.

**\`project\`** ${projectNameText.details}

A **\`\${VAR}\`** stands for a variable of the process environment or of \`.env\`; \`\${VAR:-text}\` has a text for where
it is unset, \`$\${VAR}\` is the text itself. Secrets belong there, never into the file. A **path** is relative to
agents.yaml.

In the tables, **bold** keys are required, \`[]\` stands for the items of a list, \`[word]\` for those whose \`type\`
is that word, \`<name>\` for a key of your own. The last column says which providers do not take a key as it is
written: *refused* is an error of \`agents validate\`, the others are told there and in every plan.`

/** Returns the whole page. */
export async function agentsYamlPage(): Promise<string> {
  const providers = await Promise.all(Object.values(builtins).map(({ load }) => load()))
  const topics = readReference({ kinds, providers }).filter(({ keys }) => keys.length > 0)
  const contents = topics.map(({ place, description }) => `- [\`${place}\`](#${anchorOf(place)}): ${description}`)
  const sections = topics.map(sectionOf)
  return `${[introduction, contents.join('\n'), ...sections].join('\n\n')}\n`
}

function sectionOf(topic: Topic): string {
  const { name, place, description, lanes, keys, rules } = topic
  const example = examples[name]
  const all = allKeys(keys)
  const details = all.flatMap(({ path, details: text }) =>
    text === undefined ? [] : [`**\`${path}\`** ${text.split('\n').join('\n\n')}`],
  )
  return [
    `<a id="${anchorOf(place)}"></a>\n## ${place}`,
    description,
    ...(lanes.length === 0 ? [] : [lanesOf(topic)]),
    ...(example === undefined ? [] : [`\`\`\`yaml\n${example.trimEnd()}\n\`\`\``]),
    tableOf(all, lanes.length > 0),
    ...details,
    ...(rules.length === 0 ? [] : [rulesOf(rules)]),
  ].join('\n\n')
}

function lanesOf({ lanes }: Topic): string {
  const rows = lanes.map(
    ({ lane, capability, reason }) => `| ${lane} | ${capability?.support ?? 'not there'} | ${reason ?? ''} |`,
  )
  return ['| Provider | | |', '|---|---|---|', ...rows].join('\n')
}

function tableOf(keys: readonly ExplainedKey[], hasProviders: boolean): string {
  const rows = keys.map((key) => {
    const name = key.isRequired ? `**\`${key.path}\`**` : `\`${key.path}\``
    const example = key.examples[0]
    const isShown = example !== undefined && typeof example !== 'object'
    const text = [key.description, ...factsOf(key), ...(isShown ? [`Example: \`${inlineYaml(example)}\`.`] : [])].join(
      ' ',
    )
    const remarks = groupedRemarks(key.remarks).map(
      ({ lanes, text: remark, code }) => `${lanes.join(', ')}: ${linked(remark, code)}`,
    )
    const cells = [name, key.type, text, ...(hasProviders ? [remarks.join('<br>')] : [])]
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  })
  const heading = ['Key', 'Type', 'Meaning', ...(hasProviders ? ['Providers'] : [])]
  return [`| ${heading.join(' | ')} |`, `|${'---|'.repeat(heading.length)}`, ...rows].join('\n')
}

/** Makes the verb of a remark a link to its code. */
function linked(remark: string, code: string): string {
  const end = remark.indexOf(': ')
  return `[${remark.slice(0, end)}](diagnostics.md#${code})${remark.slice(end)}`
}

function rulesOf(rules: Topic['rules']): string {
  const links = rules.map(({ code, summary }) => `- [\`${code}\`](diagnostics.md#${code}): ${summary}`)
  return `<details><summary>What is checked (${rules.length} ${rules.length === 1 ? 'rule' : 'rules'})</summary>\n\n${links.join('\n')}\n\n</details>`
}

function anchorOf(place: string): string {
  return place.replaceAll(/[^A-Za-z_.]/g, '').toLowerCase()
}
