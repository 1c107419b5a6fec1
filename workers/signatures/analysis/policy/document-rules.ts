// Rules for trailer, catalog, metadata, security store and pages.
import type { PolicyRule } from './policy-rule.js'

export const documentRules = [
  {
    rule: 'file-identifier',
    level: 'lta',
    role: 'trailer',
    keys: ['ID'],
    permits: 'another identifier, or one where there was none; in an encrypted file another second half',
  },
  {
    rule: 'private-trailer-entry',
    level: 'lta',
    role: 'trailer',
    keys: ['AdditionalStreams', 'DocChecksum'],
    permits: 'entries of an office program, which PDF does not know, to be left out, or to name the same source again',
  },
  {
    rule: 'document-information',
    level: 'lta',
    role: 'information',
    keys: ['ModDate', 'Producer'],
    permits: 'date of modification and producer to change',
  },
  {
    rule: 'new-document-information',
    level: 'lta',
    role: 'information',
    keys: ['CreationDate', 'Creator'],
    permits: 'further dates and the program in an information dictionary that is new',
  },
  {
    rule: 'document-metadata',
    level: 'lta',
    role: 'metadata',
    keys: [],
    permits: 'XMP to be added, or to change in its dates, its instance and its producer',
  },
  {
    rule: 'pdf-version',
    level: 'lta',
    role: 'catalog',
    keys: ['Version'],
    permits: 'a higher version of PDF',
  },
  {
    rule: 'developer-extensions',
    level: 'lta',
    role: 'catalog',
    keys: ['Extensions'],
    permits: 'further developer extensions, without a change of those there are',
  },
  {
    rule: 'security-store',
    level: 'lta',
    role: 'security-store',
    keys: ['Certs', 'CRLs', 'OCSPs', 'Type', 'VRI'],
    permits:
      'certificates, revocation lists and answers to be added to the document security store, or listed no longer: those of every revision count',
  },
  {
    rule: 'page-annotations',
    level: 'lta',
    role: 'page',
    keys: ['Annots'],
    permits: 'members of the list to be added or removed, each permitted by a rule of its own',
  },
  {
    rule: 'followed-entry',
    level: 'lta',
    role: 'trailer',
    keys: [],
    permits: 'an entry to name another object, if it says the same or a rule of its own permits it in this place',
  },
  {
    rule: 'unreferenced-object',
    level: 'lta',
    role: 'trailer',
    keys: [],
    permits: 'objects that nothing refers to: cross-reference streams, object streams, leftovers',
  },
  {
    rule: 'usage-rights',
    level: 'fill',
    role: 'catalog',
    keys: ['Perms'],
    permits: 'the usage rights of a document without signatures to be removed, alone or with its certification',
  },
  {
    rule: 'certification',
    level: 'fill',
    role: 'catalog',
    keys: ['Perms'],
    permits: 'the first signature to certify the document',
  },
] as const satisfies readonly PolicyRule[]
