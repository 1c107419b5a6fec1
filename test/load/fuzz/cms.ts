// Mutated CMSs, in three places: completing a signing over HTTP, `agents documents verify` of a signed file, and the
// verification with a chain and a timestamp. Each is refused or judged, and none is a bug.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultAlgorithmPolicy } from '../../../workers/contract/signatures/algorithm-policy.js'
import { checkCms } from '../../../workers/signatures/cms/check-cms.js'
import { verificationOf } from '../../../workers/signatures/trust/verification-of.js'
import { cmsOver, complete, download, field, prepare } from '../../server/signatures/support/signing.js'
import type { Answer } from '../../server/support/client.js'
import { done, makers } from '../../server/support/running-server.js'
import { needs } from '../../support/pdf/judges.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { signedPdf } from '../../support/pdf/signed-pdf.js'
import { extensions, type Identity, Pki } from '../../support/pki/pki.js'
import { document, inputOf, signatureOver } from '../../workers/signatures/subject.js'
import { type BuiltServer, startBuiltServer } from '../built-server.js'
import type { Draw } from '../draw.js'
import { answerComplaints } from './answer-complaints.js'
import { commandComplaints } from './command.js'
import type { FuzzCase, FuzzTarget } from './fuzz-target.js'
import { mutateDer } from './mutate-der.js'

function mutated(cms: Buffer, draw: Draw): Buffer {
  let changed = cms
  for (let left = draw.between(1, 3); left > 0; left--) changed = mutateDer(changed, draw)
  return changed
}

const verifying = (folder: string, codes: readonly number[]) =>
  commandComplaints({ words: ['documents', 'verify', 'signed.pdf'], folder, codes })

/** Completes a signing that stays open until a CMS is accepted. */
class Completion {
  #open: { readonly prepared: Answer; readonly docId: string } | undefined

  constructor(
    private readonly server: BuiltServer,
    private readonly folder: string,
  ) {}

  async draw(draw: Draw): Promise<FuzzCase> {
    const { prepared, docId } = await this.#signing()
    const cms = mutated(Buffer.from(cmsOver(prepared), 'base64'), draw)
    const client = { api: this.server.api, docId }
    return {
      title: 'completion with a CMS',
      files: { 'cms.der': cms },
      run: async () => {
        const answer = await complete(client, prepared, { cms: cms.toString('base64') })
        const complaints = answerComplaints('the completion', answer)
        if (this.server.ended() !== undefined) return [`the server ended with ${this.server.ended()}`]
        if (answer.status !== 200) return complaints
        // The CMS was accepted: then the verification must find the signature intact.
        this.#open = undefined
        writeFileSync(join(this.folder, 'signed.pdf'), await download(client))
        return [...complaints, ...(await verifying(this.folder, [0]))]
      },
    }
  }

  async #signing() {
    if (this.#open !== undefined) return this.#open
    const docId = await makers(this.server.api).upload(onePage('0 0 100 100 re f'))
    const prepared = await prepare({ api: this.server.api, docId }, field('approval')).then(done)
    this.#open = { prepared, docId }
    return this.#open
  }
}

const signed = signedPdf()
const hole = {
  start: signed.indexOf('/Contents<') + '/Contents<'.length,
  end: signed.indexOf('>', signed.indexOf('/Contents<')),
}

function ofFile(draw: Draw, folder: string): FuzzCase {
  const contents = Buffer.from(signed.toString('latin1', hole.start, hole.end), 'hex')
  const cms = mutated(contents.subarray(0, 4 + contents.readUInt16BE(2)), draw)
  const file = Buffer.from(signed)
  const length = hole.end - hole.start
  file.write(cms.toString('hex').slice(0, length).padEnd(length, '0'), hole.start, 'latin1')
  return {
    title: 'a signed file',
    files: { 'signed.pdf': file },
    async run() {
      writeFileSync(join(folder, 'signed.pdf'), file)
      return verifying(folder, [0, 4])
    },
  }
}

/** CMSs of openssl: with a chain, with a timestamp in it, and a timestamp alone. */
function certified(pki: Pki): {
  readonly root: Identity
  readonly signatures: readonly Buffer[]
  readonly stamp: Buffer
} {
  const root = pki.authority('Root')
  const issuing = pki.authority('Issuing', root)
  const authority = root.issue('Time', { extensions: extensions.timestamps })
  const signatures = [
    pki.cms(document, issuing.issue('A Signer'), { certificates: [issuing] }),
    pki.cms(document, root.issue('RSA', { key: ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048'] })),
  ]
  return { root, signatures, stamp: pki.timestamp(document, authority) }
}

function ofChain({ root, signatures, stamp }: ReturnType<typeof certified>, draw: Draw): FuzzCase {
  const isStamp = draw.happens(0.3)
  const cms = mutated(isStamp ? stamp : draw.one(signatures), draw)
  const subFilter = isStamp ? 'ETSI.RFC3161' : 'adbe.pkcs7.detached'
  return {
    title: 'a verification',
    files: { 'cms.der': cms },
    async run() {
      const digest = Buffer.alloc(32)
      checkCms({
        cms,
        digest,
        digestAlgorithm: 'sha256',
        subFilter,
        kind: isStamp ? 'timestamp' : 'signature',
        policy: defaultAlgorithmPolicy,
      })
      verificationOf(inputOf(signatureOver(cms, { subFilter }), { trusted: [root] }))
      return []
    },
  }
}

export const cms: FuzzTarget = {
  name: 'cms',
  async open(folder) {
    const data = join(folder, 'data')
    mkdirSync(data)
    const server = await startBuiltServer({ folder: data, threads: 1 })
    const completion = new Completion(server, folder)
    const teardowns: (() => void)[] = []
    const teardown = (clean: () => void) => void teardowns.push(clean)
    const chain = needs('openssl').skip === false ? certified(Pki.of({ teardown })) : undefined
    return {
      async draw(draw) {
        const way = draw.below(10)
        if (way < 4) return completion.draw(draw)
        return way < 6 || chain === undefined ? ofFile(draw, folder) : ofChain(chain, draw)
      },
      async close() {
        for (const clean of teardowns) clean()
        return server.close()
      },
    }
  },
}
