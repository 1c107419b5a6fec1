// Commands in the first lines of every example work as written.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { program, root } from '../cli/program.js'
import { scratchFolder } from '../cli/scratch.js'

const examples = join(root, 'examples')
const commandLine = /^# {3}(agents emulate .*)$/gm

const headers = readdirSync(examples).flatMap((name) => {
  const file = join(examples, name, 'agents.yaml')
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  return [...text.matchAll(commandLine)].map(([, line = '']) => ({ name, line }))
})

t.ok(headers.length >= 5, 'every provider has an example, and so have all of them together')

for (const { name, line } of headers) {
  t.test(`examples/${name}: ${line}`, (t) => {
    const folder = scratchFolder(t)
    const agents = join(folder, 'agents')
    writeFileSync(agents, `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`)
    chmodSync(agents, 0o755)
    const { status, stdout, stderr } = spawnSync('sh', ['-c', line], {
      cwd: join(examples, name),
      env: { PATH: `${folder}:${process.env['PATH']}`, HOME: folder },
      encoding: 'utf8',
    })
    t.match([status, stdout], [0, /^Plan: \d+ to create/m], stderr)
    t.end()
  })
}
