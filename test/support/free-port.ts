// Ports that no program listens on at the moment.
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1)
  return port
}

/** Returns different ports. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = await Promise.all(Array.from({ length: count }, listening))
  const ports = servers.map((server) => Object(server.address()).port as number)
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}

async function listening(): Promise<Server> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}
