// Operations that sign a layer: prepare, complete, cancel.
import { Type } from 'typebox'
import {
  SignatureCancelled,
  SignatureComplete,
  SignatureCompleted,
} from '../../workers/contract/signatures/completion.js'
import { SignaturePrepare, SignaturePrepared } from '../../workers/contract/signatures/preparation.js'
import { operation } from '../operation/operation.js'
import { LayerPath } from '../schemas/ids.js'
import { cancelSigning } from '../signatures/cancel.js'
import { completeSigning } from '../signatures/complete.js'
import { prepareSignature } from '../signatures/prepare.js'

const signing = { kind: 'document', capabilities: ['doc.sign'] } as const

const SigningPath = Type.Object({ ...LayerPath.properties, signingId: Type.String({ minLength: 1, maxLength: 256 }) })

export const signingOperations = [
  operation({
    name: 'doc.signatures.prepare',
    summary: 'Prepare a signature over the edits of a layer, and return the digest to sign',
    plane: 'document',
    method: 'POST',
    path: '/v1/docs/:docId/layers/:layerName/signatures/prepare',
    // A certification, or a lock with a permission, also needs doc.sign.certify.
    authority: signing,
    input: { params: LayerPath, body: SignaturePrepare },
    resources: true,
    loneFile: 'body',
    answer: SignaturePrepared,
    handle: ({ body }, context) => prepareSignature(context, body),
  }),
  operation({
    name: 'doc.signatures.complete',
    summary: 'Put the CMS into a prepared signature, and publish the signed file as the next version',
    plane: 'document',
    method: 'POST',
    path: '/v1/docs/:docId/layers/:layerName/signatures/:signingId/complete',
    authority: signing,
    input: { params: SigningPath, body: SignatureComplete },
    answer: SignatureCompleted,
    handle: ({ params, body }, context) => completeSigning(context, { signingId: params.signingId, body }),
  }),
  operation({
    name: 'doc.signatures.cancel',
    summary: 'Give up a prepared signature, so that the layer can be changed again',
    plane: 'document',
    method: 'DELETE',
    path: '/v1/docs/:docId/layers/:layerName/signatures/:signingId',
    authority: signing,
    input: { params: SigningPath },
    answer: SignatureCancelled,
    handle: ({ params }, context) => cancelSigning(context, params.signingId),
  }),
] as const
