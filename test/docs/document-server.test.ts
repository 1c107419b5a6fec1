// docs/document-server.md and the help say what the server really takes.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { commands } from '../../cli/commands/index.js'
import { serverPage } from '../../scripts/docs/server-page.js'
import { flagOf, Settings } from '../../server/settings/config.js'
import { agentsHere } from '../cli/in-process.js'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const page = readFileSync(join(root, 'docs/document-server.md'), 'utf8')

t.test('the tables of settings and limits are what npm run docs makes', async (t) => {
  t.ok((await serverPage(root)) === page, 'run "npm run docs"')
  for (const name of Object.keys(Settings.properties)) t.match(page, `| \`--${flagOf(name)}\` |`)
})

t.test('every setting is a flag of agents serve', async (t) => {
  const { stdout } = await agentsHere(['serve', '--help'], { folder: root })
  for (const name of Object.keys(Settings.properties)) t.match(stdout, `--${flagOf(name)}`)
})

t.test('every documents command is in the README, with an example in its help', async (t) => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const [line = ''] = /^\| `documents upload`.*$/m.exec(readme) ?? []
  const names = commands.flatMap(({ paths }) =>
    paths.filter(([group]) => group === 'documents').map(([, name]) => name),
  )
  t.ok(names.length > 8)
  for (const name of names) {
    t.match(line, new RegExp(`\`(documents )?${name}\``))
    const { stdout } = await agentsHere(['documents', `${name}`, '--help'], { folder: root })
    t.match(stdout, `agents documents ${name}`, 'an example')
  }
})
