// Schema of the analysis of what changed after a signature or revision, and whether each change is permitted.
import { type Static, Type } from 'typebox'
import { Nullable } from '../nullable.js'
import { CountFromZero } from '../numbers.js'
import { DocMdpPermission } from './field-lock.js'

export const ChangeVerdict = Type.Enum(['unchanged', 'permitted', 'forbidden', 'indeterminate'])
export type ChangeVerdict = Static<typeof ChangeVerdict>

export const Finding = Type.Object({
  /** Name of the rule in the policy. */
  rule: Type.String(),
  verdict: Type.Enum(['permitted', 'forbidden', 'incomplete']),
  objectNumber: CountFromZero,
  /** Path of the changed entry below the object. */
  edge: Type.Optional(Type.String()),
  detail: Type.Optional(Type.String()),
})
export type Finding = Static<typeof Finding>

export const Restriction = Type.Object({
  signatureIndex: CountFromZero,
  revisionIndex: CountFromZero,
  source: Type.Enum(['docmdp', 'fieldmdp', 'lock']),
  /** True for restrictions of the signature that the analysis starts from. */
  own: Type.Boolean(),
  permission: Type.Optional(DocMdpPermission),
  fields: Type.Optional(Type.Array(Type.String())),
})
export type Restriction = Static<typeof Restriction>

export const ChangeAnalysis = Type.Object({
  /** Basis of the level. `exploratory`: the request chose it, so the result is no verdict on the document. */
  mode: Type.Enum(['authoritative', 'exploratory']),
  policyVersion: Type.Integer({ minimum: 1 }),
  basis: Type.Object({
    version: Type.Object({ sha256: Type.String(), byteLength: CountFromZero }),
    editsVersion: CountFromZero,
    source: Type.Enum(['persisted', 'working-copy']),
  }),
  since: Type.Object({ revisionIndex: CountFromZero, signatureIndex: Nullable(CountFromZero) }),
  until: Type.Object({ revisionIndex: CountFromZero }),
  restrictions: Type.Array(Restriction),
  current: Type.Object({
    verdict: ChangeVerdict,
    /** False if the list of findings was cut, or not every change could be judged. */
    complete: Type.Boolean(),
    primary: Type.Optional(Finding),
    findings: Type.Array(Finding),
    method: Type.Enum(['net-state', 'net-state+replay']),
  }),
  /** Revisions from `since` to `until`, and objects that they changed and changed back. */
  later: Type.Object({ revisionCount: CountFromZero, undoneObjectNumbers: Type.Array(CountFromZero) }),
  /** Verdict, the same as `current.verdict`. */
  verdict: ChangeVerdict,
  /** Empty list: revisions are not judged one by one. */
  steps: Type.Array(Type.Unknown()),
})
export type ChangeAnalysis = Static<typeof ChangeAnalysis>
