// Annotations that this program writes to a signed document are what the analysis permits: every subtype, with every member.
import { readFileSync } from 'node:fs'
import t from 'tap'
import { JobRefusal } from '../../../../workers/contract/job-refusal.js'
import type { DocumentProtection } from '../../../../workers/contract/signatures/protection.js'
import { type ChangingLayer, layerOf, type Op } from '../../../support/pdf/changing.js'
import { signedPdf } from '../../../support/pdf/signed-pdf.js'
import { annotationRef, files, page, samples } from '../../annotations/support/drafts.js'
import { judgePath } from './support/judge.js'

const signedFile = signedPdf()

const certified: DocumentProtection = {
  enforced: 'annotate',
  judged: 'annotate',
  certification: { signatureIndex: 0, permission: 3 },
  fieldLocks: [],
  policyVersion: 3,
}

/** Members of every subtype that change what is written beside it. */
const common = {
  blendMode: 'multiply',
  groupId: 'group',
  contents: 'Words',
  subject: 'Subject',
  print: true,
  nm: 'name',
}
const patch = { blendMode: 'darken', groupId: null, contents: 'Other words', subject: null, locked: true }

const isByKind = (error: unknown): boolean => error instanceof JobRefusal && error.details?.['subtype'] !== undefined

for (const [title, { data, resources = {} }] of Object.entries(samples)) {
  t.test(`${title}, added after a signature, is permitted, and so are changes of it`, async (t) => {
    const judge = (layer: ChangingLayer, since: number, isCertified: boolean, what: string) => {
      const { verdict, findings } = judgePath(layer.sent(), since, { isCertified })
      t.equal(verdict, 'permitted', `${what}, ${isCertified ? 'certified' : 'signed'}: ${JSON.stringify(findings)}`)
    }
    const create: Op = { type: 'annotations.create', page, data: { ...common, ...data }, resources }
    const layer = layerOf(t, signedFile)
    await layer.change({ ops: [create], resources: files })
    judge(layer, 0, false, 'added')
    try {
      const strict = layerOf(t, signedFile)
      await strict.change({ ops: [create], resources: files, protection: certified })
      judge(strict, 0, true, 'added')
    } catch (error) {
      if (isByKind(error)) return
      throw error
    }
    const later = layerOf(t, readFileSync(layer.sent()))
    const ref = annotationRef(8)
    await later.change({ ops: [{ type: 'annotations.update', ref, patch }], protection: certified })
    judge(later, 1, true, 'changed')
    await later.change({ ops: [{ type: 'annotations.delete', ref }], protection: certified })
    judge(later, 1, true, 'deleted')
  })
}
