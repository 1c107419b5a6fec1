// Server processes of a cluster, and the nginx in front of them.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runNginx } from '../support/nginx.js'

export const builtProgram = fileURLToPath(new URL('../../dist/agents.js', import.meta.url))

export interface ServerOptions {
  readonly name: string
  readonly port: number
  /** Folder of the process; its data folder and its log are in it. */
  readonly folder: string
  readonly flags: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** File that moves the clock of the process, see libfaketime. */
  readonly clockFile?: string
}

/** Process that is started, killed, stopped and continued. */
export class ServerProcess {
  private child: ChildProcess | undefined
  /** Program that the next start runs. */
  program = builtProgram

  constructor(readonly options: ServerOptions) {}

  get url(): string {
    return `http://127.0.0.1:${this.options.port}`
  }

  get pid(): number | undefined {
    return this.child?.pid
  }

  /** Resolves when the server is ready. */
  async start(): Promise<void> {
    const { folder, port, flags, env } = this.options
    mkdirSync(folder, { recursive: true })
    const log = openSync(join(folder, 'log'), 'a')
    const args = [this.program, 'serve', '--port', `${port}`, '--data', join(folder, 'data'), '--json', ...flags]
    this.child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', log] })
    const [first] = await Promise.race([once(this.child.stdout ?? this.child, 'data'), once(this.child, 'exit')])
    if (this.child.exitCode !== null) throw new Error(`${this.options.name} ended with ${first}; see ${folder}/log`)
  }

  signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    this.child?.kill(name)
  }

  /** Sends the signal and waits until the process has ended. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const { child } = this
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    // A stopped process handles no other signal.
    if (signal === 'SIGTERM') child.kill('SIGCONT')
    await ended
  }
}

/** Starts nginx; requests for one document go to one process as long as it answers. */
export function startNginx(folder: string, port: number, servers: readonly ServerProcess[]): Promise<ChildProcess> {
  const isUp = async () => (await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined))?.status === 200
  return runNginx({
    folder,
    http: balancer(
      port,
      servers.map(({ options }) => options.port),
    ),
    isUp,
  })
}

const balancer = (port: number, ports: readonly number[]): string => `
  # The document of a request, so that its reads and writes reach the process that has it open.
  map $uri $document {
    "~^/v1/docs/(?<id>[^/]+)" $id;
    "~^/v1/tenants/[^/]+/documents/(?!init$|import$)(?<id>[^/]+)" $id;
    default $request_id;
  }
  upstream documents {
    hash $document consistent;
${ports.map((one) => `    server 127.0.0.1:${one} max_fails=1 fail_timeout=3s;`).join('\n')}
  }
  server {
    listen 127.0.0.1:${port};
    client_max_body_size 600m;
    location / {
      proxy_pass http://documents;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_connect_timeout 2s;
      proxy_read_timeout 40s;
      proxy_next_upstream error timeout;
      proxy_next_upstream_tries 3;
    }
    location ~ /events$ {
      proxy_pass http://documents;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_connect_timeout 2s;
      proxy_read_timeout 60s;
      proxy_buffering off;
    }
  }
`
