// The environment of the processes of a server: whoever may read it finds no secret that the operator did not put there.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { agents, printed, scratchFolder, start } from './program.js'

const needsProc = { skip: !existsSync('/proc/self/environ') && 'there is no /proc' }

/** Processes whose parent is this one. */
function childrenOf(pid: number): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      const path = `/proc/${name}/stat`
      const stat = existsSync(path) ? readFileSync(path, 'utf8') : ''
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === pid
    })
    .map(Number)
}

t.test('secrets of secrets.json are in no environment, and the processes have them', needsProc, async (t) => {
  const folder = scratchFolder(t)
  const words = ['serve', '--port', '0', '--data', 'data', '--processes', '2', '--threads', '2']
  const running = start(words, { folder, env: { STEWARD_SIGNING_SECRET: Buffer.alloc(32, 7).toString('base64') } })
  t.teardown(() => running.child.kill('SIGTERM'))
  await printed(running, 'stdout', 'Reference')
  const { pid = 0 } = running.child
  const children = childrenOf(pid)
  t.equal(children.length, 2)
  const stored: Readonly<Record<string, string>> = JSON.parse(readFileSync(join(folder, 'data/secrets.json'), 'utf8'))
  for (const process of [pid, ...children]) {
    const environment = readFileSync(`/proc/${process}/environ`, 'latin1')
    for (const [name, value] of Object.entries(stored)) t.notOk(environment.includes(value), name)
    t.notMatch(environment, /STEWARD_(API_TOKEN|SEALING_KEY)=/)
    t.match(environment, /STEWARD_SIGNING_SECRET=BwcH/, 'what the operator put there stays')
  }
  t.match(await agents(['documents', 'list', '--data', 'data'], { folder }), { code: 0 })
})
