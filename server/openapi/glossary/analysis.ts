// Descriptions of the queries and answers that judge changes after a signature.

const terms: Readonly<Record<string, string>> = {
  'since.signature': 'Signature to start from, by its index. Either this or `since.revision`.',
  'since.revision': 'Revision to start from, counted from 0. Either this or `since.signature`.',
  level:
    'Level to judge at instead of the one that the signatures state; the result is then exploratory, no verdict on the document.',
  detail: 'Findings to list: `summary` (default) omits those of permitted changes.',
  until: 'Revision that the analysis ends with; default: the last one.',
  policy:
    'Version of the rules that the caller expects (`policyVersion`); it separates responses under different rules in caches. A version other than that of this server: 404.',
  basis: 'The bytes that were analysed.',
  'basis.version': 'The analysed version, or the version under the layer.',
  'basis.editsVersion': 'Number of edits of the layer over the version; 0 for a version itself.',
  'basis.source': 'Where the edits were read from.',
  mode: '`exploratory` if a level was requested, otherwise `authoritative`.',
  since: 'Where the analysis starts.',
  'since.revisionIndex': 'Revision of the requested signature, or the requested revision.',
  'since.signatureIndex': 'Signature that covers exactly this revision; null if none does.',
  'until.revisionIndex': 'Revision that the analysis ends with.',
  restrictions: 'Restrictions by the signatures up to the start.',
  'restrictions.revisionIndex': 'Revision that added the signature.',
  'restrictions.source':
    'Entry of the file with the restriction: a certification, a lock in the signature, or the lock of the signed field.',
  'restrictions.own': 'True for restrictions of the signature that the analysis starts from.',
  'restrictions.fields': 'Full names of locked fields; `*` stands for all of them, and `!` before a name exempts it.',
  current: 'Result for the last revision.',
  'current.verdict':
    '`forbidden` if any change is forbidden; else `indeterminate` if a change could not be judged; else `permitted`, or `unchanged` if no object changed.',
  'current.complete': 'False if findings were omitted, or a change could not be judged.',
  'current.primary': 'The finding that decides the verdict; of a permitted one, the most notable change.',
  'current.findings': 'Findings, forbidden changes first.',
  'current.method':
    '`net-state`: start and end were compared; `net-state+replay`: signed revisions in between as well.',
  'current.primary.rule': 'Name of the rule.',
  'current.primary.verdict': 'Verdict of the rule; `incomplete`: it could not be applied.',
  'current.primary.edge': 'Path of the changed entry below the object; absent for the object itself.',
  'current.primary.detail': 'Why the rule does not permit the change.',
  'current.findings.rule': 'Name of the rule.',
  'current.findings.verdict': 'Verdict of the rule; `incomplete`: it could not be applied.',
  'current.findings.edge': 'Path of the changed entry below the object; absent for the object itself.',
  'current.findings.detail': 'Why the rule does not permit the change.',
  later: 'The revisions after the start.',
  'later.revisionCount': 'Number of revisions after the start, up to the end.',
  'later.undoneObjectNumbers': 'Objects that were changed in between and changed back.',
  verdict: 'The same as `current.verdict`.',
  steps: 'Always empty: revisions are not judged one by one.',
}

const names = ['doc.signatures.analysis', 'doc.versions.analysis']

/** The terms are listed under the names of both operations, because other responses have members of the same names. */
export const analysisTerms: Readonly<Record<string, string>> = Object.fromEntries(
  names.flatMap((name) => Object.entries(terms).map(([member, text]) => [`${name}.${member}`, text])),
)
