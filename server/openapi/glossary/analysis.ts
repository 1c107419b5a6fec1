// Descriptions of the queries and answers that judge changes after a signature.

const terms: Readonly<Record<string, string>> = {
  'since.signature': 'Signature to start from, by its index. Either this or `since.revision`.',
  'since.revision': 'Revision to start from, counted from 0. Either this or `since.signature`.',
  level:
    'Level to judge at in place of the one that the signatures ask for; the result is then exploratory, no verdict on the document.',
  detail: 'Findings to list: `summary` (default) leaves out those of permitted changes.',
  until: 'Revision that the analysis ends with; default: the last one.',
  policy:
    'Version of the rules that the caller expects (`policyVersion`), so that caches keep answers of different rules apart. Another one than that of this server: 404.',
  basis: 'The bytes that were analysed.',
  'basis.version': 'The version that the bytes are, or that the layer is over.',
  'basis.editsVersion': 'Number of edits of the layer over the version; 0 for a version itself.',
  'basis.source': 'Where the edits were read from.',
  mode: '`exploratory` exactly if a level was requested.',
  since: 'Where the analysis starts.',
  'since.revisionIndex': 'Revision that was signed, or that was requested.',
  'since.signatureIndex': 'Signature that covers exactly this revision; null if none does.',
  'until.revisionIndex': 'Revision that the analysis ends with.',
  restrictions: 'What the signatures up to the start restrict afterwards.',
  'restrictions.revisionIndex': 'Revision that the signature came with.',
  'restrictions.source':
    'Entry of the file that restricts: a certification, signed locks, or the lock of a signed field.',
  'restrictions.own': 'True for restrictions of the signature that the analysis starts from.',
  'restrictions.fields': 'Full names of locked fields; `*` stands for all of them, and `!` before a name exempts it.',
  current: 'The judgement of the last revision.',
  'current.verdict':
    '`forbidden` if a change is; else `indeterminate` if something could not be judged; else `permitted`, or `unchanged` without any changed object.',
  'current.complete': 'False if findings were left out, or not everything could be judged.',
  'current.primary': 'The finding that decides the verdict.',
  'current.findings': 'Findings, those that forbid something first.',
  'current.method':
    '`net-state`: start and end were compared; `net-state+replay`: revisions in between that are signed too.',
  'current.primary.rule': 'Name of the rule.',
  'current.primary.verdict': 'What the rule says; `incomplete`: it could not be applied.',
  'current.primary.edge': 'Path of the changed entry below the object; absent for the object itself.',
  'current.primary.detail': 'Why the rule does not permit the change.',
  'current.findings.rule': 'Name of the rule.',
  'current.findings.verdict': 'What the rule says; `incomplete`: it could not be applied.',
  'current.findings.edge': 'Path of the changed entry below the object; absent for the object itself.',
  'current.findings.detail': 'Why the rule does not permit the change.',
  later: 'The revisions after the start.',
  'later.revisionCount': 'Number of revisions after the start, up to the end.',
  'later.undoneObjectNumbers': 'Objects that were changed in between and are as they were.',
  verdict: 'The same as `current.verdict`.',
  steps: 'Always empty: revisions are not judged one by one.',
}

const names = ['doc.signatures.analysis', 'doc.versions.analysis']

/** Under the names of both operations, because other answers use the same words. */
export const analysisTerms: Readonly<Record<string, string>> = Object.fromEntries(
  names.flatMap((name) => Object.entries(terms).map(([member, text]) => [`${name}.${member}`, text])),
)
