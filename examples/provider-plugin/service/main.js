// `npm start`: the service on a port of its own, until Ctrl-C.
import { startService } from './server.js'

const { url, close } = await startService({ port: Number(process.env['PORT'] ?? 4790) })
console.log(`Acme listens on ${url}`)
process.once('SIGINT', close)
process.once('SIGTERM', close)
