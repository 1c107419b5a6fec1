// The least a server can do: one fastify route that sends the bytes of a file from memory. Prints {"url": …}.
import { readFileSync } from 'node:fs'
import fastify from 'fastify'

const bytes = readFileSync(process.argv[2])
const app = fastify()
app.get('/', (_request, reply) => reply.type('image/webp').send(bytes))
console.log(JSON.stringify({ url: await app.listen({ host: '127.0.0.1', port: 0 }) }))
