// A deployment that verifies with a public key cannot issue tokens, so operations that need the secret do not exist.
import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SignJWT } from 'jose'
import t from 'tap'
import { scratchFolder } from '../../cli/scratch.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { everyRequest, namesOf } from '../support/every-operation.js'
import { runServer } from '../support/running-server.js'
import { claims } from '../support/tokens.js'

const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const tokenPublicKey = join(scratchFolder(t), 'public.pem')
writeFileSync(tokenPublicKey, publicKey.export({ type: 'spki', format: 'pem' }))
const server = await runServer(t, { settings: { tokenPublicKey, tokenRevocation: false } })
const docId = await server.upload(onePage('0 0 100 100 re f'), { docId: 'report' })

t.test(
  'tokens of the key are accepted, and operations that issue or revoke tokens are 404 for every caller',
  async (t) => {
    const token = await new SignJWT(claims({ tenant_id: 'acme', doc_id: docId, scope: ['doc.open'] }))
      .setProtectedHeader({ alg: 'EdDSA' })
      .sign(privateKey)
    t.equal((await server.api.as(token).get(`/v1/docs/${docId}/head`)).status, 200)

    const paths = { ...namesOf(docId), id: 'x' }
    const absent = everyRequest(paths).filter(({ operation }) => operation.needs !== undefined)
    t.ok(absent.length >= 8)
    for (const { operation, path, title } of absent) {
      for (const client of [server.api, server.api.as(undefined)]) {
        const answer = await client.send(path, { method: operation.method, headers: { origin: 'https://a.example' } })
        t.equal(`${answer.status} ${answer.code}`, '404 NotFound', title)
        t.match(answer.at('/error/message'), 'on this path', 'not mounted, rather than not found')
      }
    }
  },
)
