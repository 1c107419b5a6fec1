// Server processes of a cluster, and the nginx in front of them.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const builtProgram = fileURLToPath(new URL('../../dist/agents.js', import.meta.url))

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
export async function startNginx(
  folder: string,
  port: number,
  servers: readonly ServerProcess[],
): Promise<ChildProcess> {
  mkdirSync(join(folder, 'temp'), { recursive: true })
  const path = join(folder, 'nginx.conf')
  writeFileSync(path, nginxConfiguration({ folder, port, ports: servers.map(({ options }) => options.port) }))
  const child = spawn('nginx', ['-p', folder, '-c', path], { stdio: ['ignore', 'ignore', 'inherit'] })
  for (let attempt = 0; ; attempt++) {
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined)
    if (answer?.status === 200) return child
    if (attempt > 100 || child.exitCode !== null) throw new Error('nginx does not answer')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

interface NginxOptions {
  readonly folder: string
  readonly port: number
  readonly ports: readonly number[]
}

const nginxConfiguration = ({ folder, port, ports }: NginxOptions): string => `
daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
worker_processes 1;
pid ${join(folder, 'nginx.pid')};
error_log ${join(folder, 'error.log')} warn;
events { worker_connections 4096; }
http {
  access_log off;
  client_body_temp_path ${join(folder, 'temp/body')};
  proxy_temp_path ${join(folder, 'temp/proxy')};
  fastcgi_temp_path ${join(folder, 'temp/fastcgi')};
  uwsgi_temp_path ${join(folder, 'temp/uwsgi')};
  scgi_temp_path ${join(folder, 'temp/scgi')};
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
}
`
