// nginx as a child process, with everything it writes in a folder of its own.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** `t.test(title, needsNginx, …)` */
export const needsNginx: { readonly skip: string | false } = {
  skip: spawnSync('nginx', ['-v']).error !== undefined && 'apt-get install -y nginx-light',
}

export interface NginxOptions {
  readonly folder: string
  /** Content of the block `http`. */
  readonly http: string
  /** True once nginx serves. */
  readonly isUp: () => Promise<boolean>
}

export async function runNginx({ folder, http, isUp }: NginxOptions): Promise<ChildProcess> {
  mkdirSync(join(folder, 'temp'), { recursive: true })
  const path = join(folder, 'nginx.conf')
  writeFileSync(path, configuration(folder, http))
  const child = spawn('nginx', ['-p', folder, '-c', path], { stdio: ['ignore', 'ignore', 'inherit'] })
  for (let attempt = 0; !(await isUp()); attempt++) {
    if (attempt > 100 || child.exitCode !== null) throw new Error('nginx does not answer')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return child
}

const configuration = (folder: string, http: string): string => `
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
  ${http}
}
`
