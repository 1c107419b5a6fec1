// Replacement of objects with unique names: the successor is created first, and then gets the name.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { emulate } from './emulator.js'
import { agentsHere } from './in-process.js'
import { scratchFolder } from './scratch.js'

const forward = 'delivery: { qoder: { type: forward } }'

for (const [api, delivery] of [
  ['managed', ''],
  ['forward', `, ${forward}`],
] as const) {
  const fileOf = (type: string, more = '') =>
    `version: "1"\nproviders: { qoder: { api_key: "\${KEY}" } }\nenvironments: { base: { config: { type: ${type} }${more} } }\nagents: { helper: { model: auto, instructions: Help., environment: base${delivery} } }\n`

  t.test(`2.5 an environment of the ${api} API is replaced by a successor with the same name`, async (t) => {
    const folder = scratchFolder(t)
    const emulator = await emulate(t)
    const write = (text: string) => writeFileSync(join(folder, 'agents.yaml'), text)
    const run = (words: string) => agentsHere(words.split(' '), { folder, env: { ...emulator.env } })
    const environments = async () => (await emulator.objects()).filter(({ kind }) => kind === 'environment')

    write(fileOf('cloud'))
    t.equal((await run('apply --yes')).code, 0)
    const [before] = await environments()
    write(fileOf('self_hosted'))
    t.match((await run('plan')).stdout, '± replace qoder.environment.base')
    const applied = await run('apply --yes')
    t.equal(applied.code, 0, applied.stderr)
    const [after, ...others] = await environments()
    t.strictSame(others, [], 'the former object is removed')
    t.match(after, { name: 'base' })
    t.not(after?.id, before?.id)
    t.match((await run('plan')).stdout, 'No changes.')
  })

  t.test(`2.5 a replacement in the ${api} API that was refused is completed by the next run`, async (t) => {
    const folder = scratchFolder(t)
    const emulator = await emulate(t)
    const write = (text: string) => writeFileSync(join(folder, 'agents.yaml'), text)
    const run = (words: string) => agentsHere(words.split(' '), { folder, env: { ...emulator.env } })
    write(fileOf('cloud'))
    await run('apply --yes')
    write(fileOf('self_hosted'))
    await emulator.knobs({ faults: { rate: 0.5, seed: 3, kinds: ['serverError', 'drop'], retryAfterMs: 1 } })
    for (let runs = 0; runs < 10 && (await run('apply --yes')).code !== 0; runs++);
    await emulator.knobs({ faults: 0 })
    t.equal((await run('apply --yes')).code, 0)
    const found = (await emulator.objects()).filter(({ kind }) => kind === 'environment')
    t.strictSame(
      found.map(({ name }) => name),
      ['base'],
    )
    t.match((await run('plan')).stdout, 'No changes.')
  })
}
