// The least a server of files can do: one fastify route that reads a file and sends it. Prints {"url": …}.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastify from 'fastify'

const [, , folder] = process.argv
const app = fastify()
app.get('/:name', async ({ params }, reply) =>
  reply.type('image/webp').send(await readFile(join(folder, String(Number(params.name))))),
)
console.log(JSON.stringify({ url: await app.listen({ host: '127.0.0.1', port: 0 }) }))
