// A real S3-compatible store for tests: OpenStack Swift with its S3 interface, on free ports, in a folder of its own.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePorts } from '../free-port.js'
import { python } from '../pdf/judges.js'

const packages = ['swift-proxy', 'swift-account', 'swift-container', 'swift-object', 'swift', 'memcached'] as const
const programs = [
  'swift-proxy-server',
  'swift-account-server',
  'swift-container-server',
  'swift-object-server',
  'memcached',
] as const

/** `t.test(title, needsSwift, …)` */
export const needsSwift: { readonly skip: string | false } = {
  skip: programs.every(isInstalled) ? false : `apt-get install -y ${packages.join(' ')}`,
}

function isInstalled(program: string): boolean {
  return ['/usr/bin', '/usr/local/bin', '/usr/sbin'].some((folder) => existsSync(join(folder, program)))
}

export interface Swift {
  readonly endpoint: string
  /** Credentials as the usual variables. */
  readonly env: Readonly<Record<string, string>>
  /** Stops the proxy, as when the store is down. */
  pause(): Promise<void>
  resume(): Promise<void>
  close(): Promise<void>
}

interface Teardown {
  teardown(end: () => unknown): void
}

/** Starts the store, which lists 100 objects a page; the credentials are put into the environment of this process too. */
export async function startSwift(t: Teardown): Promise<Swift> {
  const folder = mkdtempSync('/tmp/steward-swift-')
  const [proxy, account, container, object, memcached] = await freePorts(5)
  const ports = { proxy, account, container, object, memcached } as Ports
  layOut(folder, ports)
  const servers = new Map<string, ChildProcess>()
  const start = (name: string, program: string, args: readonly string[]) => {
    const env = { ...process.env, SWIFT_DIR: folder, PYTHONWARNINGS: 'ignore' }
    servers.set(name, spawn(program, args, { env, stdio: 'ignore' }))
  }
  const startProxy = async () => {
    start('proxy', 'swift-proxy-server', [join(folder, 'proxy.conf')])
    await answers(`http://127.0.0.1:${ports.proxy}/`)
  }
  const stop = async (name: string) => {
    const server = servers.get(name)
    servers.delete(name)
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    const ended = new Promise((resolve) => server.once('exit', resolve))
    server.kill('SIGKILL')
    await ended
  }
  const close = async () => {
    await Promise.all([...servers.keys()].map(stop))
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  t.teardown(close)
  const user = userInfo().uid === 0 ? ['-u', 'nobody'] : []
  start('memcached', 'memcached', ['-l', '127.0.0.1', '-p', String(ports.memcached), ...user])
  for (const kind of kinds) start(kind, `swift-${kind}-server`, [join(folder, `${kind}.conf`)])
  await buildRings(folder, ports)
  await startProxy()
  const env = { AWS_ACCESS_KEY_ID: 'test:tester', AWS_SECRET_ACCESS_KEY: 'testing' }
  Object.assign(process.env, env)
  return { endpoint: `http://127.0.0.1:${ports.proxy}`, env, pause: () => stop('proxy'), resume: startProxy, close }
}

const kinds = ['account', 'container', 'object'] as const
type Ports = Readonly<Record<'proxy' | 'memcached' | (typeof kinds)[number], number>>

/** Builds the three rings in one process: each start of Python takes a while. */
const ringProgram = `import sys
from swift.common.ring import RingBuilder
folder = sys.argv[1]
for kind, port in zip(('account', 'container', 'object'), sys.argv[2:]):
    ring = RingBuilder(4, 1, 0)
    ring.add_dev(dict(id=0, region=1, zone=1, weight=1, ip='127.0.0.1', port=int(port), device='sdb1', meta='',
                      replication_ip='127.0.0.1', replication_port=int(port)))
    ring.rebalance()
    ring.get_ring().save(f'{folder}/{kind}.ring.gz')
`

async function buildRings(folder: string, ports: Ports): Promise<void> {
  const args = ['-W', 'ignore', '-c', ringProgram, folder, ...kinds.map((kind) => String(ports[kind]))]
  const builder = spawn(python, args, { stdio: ['ignore', 'inherit', 'inherit'] })
  const code = await new Promise((resolve) => builder.once('exit', resolve))
  if (code !== 0) throw new Error(`The rings of Swift were not built: ${code}`)
}

function layOut(folder: string, ports: Ports): void {
  mkdirSync(join(folder, 'devices', 'sdb1'), { recursive: true })
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  write(
    'swift.conf',
    '[swift-hash]\nswift_hash_path_prefix = a\nswift_hash_path_suffix = b\n[storage-policy:0]\nname = one\ndefault = yes\n',
  )
  const common = (port: number) =>
    `[DEFAULT]\nbind_ip = 127.0.0.1\nbind_port = ${port}\nworkers = 0\nuser = ${userInfo().username}\nswift_dir = ${folder}\ndevices = ${join(folder, 'devices')}\nmount_check = false\ndisable_fallocate = true\nfallocate_reserve = 0\nlog_level = ERROR\n`
  for (const kind of kinds) {
    write(
      `${kind}.conf`,
      `${common(ports[kind])}[pipeline:main]\npipeline = ${kind}-server\n[app:${kind}-server]\nuse = egg:swift#${kind}\n`,
    )
  }
  write(
    'proxy.conf',
    `${common(ports.proxy)}[pipeline:main]
pipeline = catch_errors cache s3api tempauth bulk slo dlo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:${ports.memcached}
[filter:s3api]
use = egg:swift#s3api
max_bucket_listing = 100
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
[filter:bulk]
use = egg:swift#bulk
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
`,
  )
}

/** Resolves when the server answers at all, with whatever status. */
async function answers(url: string): Promise<void> {
  const until = Date.now() + 120_000
  for (;;) {
    try {
      await fetch(url)
      return
    } catch (error) {
      if (Date.now() > until) throw new Error(`Nothing answers at ${url}`, { cause: error })
      await sleep(100)
    }
  }
}
