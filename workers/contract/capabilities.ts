// Capabilities of document tokens, with the permission bits of the PDF behind each, and implications between them.

/** Bits of `/P` (ISO 32000-2, table 22), counted from 1. */
const bits = {
  print: 3,
  modify: 4,
  copy: 5,
  annotate: 6,
  fill: 9,
  accessibility: 10,
  assemble: 11,
  printHigh: 12,
} as const
export type PermissionBit = keyof typeof bits

/** Rule by which `pdf.permissions` grants the capability: always, never, or if all bits of one of the sets are on. */
type Grant = 'always' | 'never' | readonly (readonly PermissionBit[])[]

const grants = {
  'doc.open': 'always',
  'doc.render': 'always',
  'doc.text.select': [['copy']],
  'doc.text.copy': [['copy']],
  'doc.text.search': [['copy']],
  'doc.content.copy': [['copy']],
  'doc.download': 'never',
  'doc.download.flattened': 'never',
  'doc.print': [['print']],
  'doc.print.high': [['print', 'printHigh']],
  'doc.pages.modify': [['modify']],
  'doc.pages.assemble': [['assemble']],
  'doc.forms.read': 'always',
  'doc.forms.fill': [['annotate'], ['fill']],
  'doc.forms.modify': [['annotate', 'modify']],
  'doc.forms.submit': 'never',
  'doc.annotate.read': 'always',
  'doc.annotate.modify': [['annotate']],
  'doc.annotate.import': 'never',
  'doc.metadata.modify': [['modify']],
  'doc.attachments.modify': [['modify']],
  'doc.redact': [['modify']],
  'doc.sign': [['annotate'], ['fill']],
  'doc.sign.certify': 'never',
  'doc.unredacted': 'never',
} as const satisfies Record<string, Grant>

export type Capability = keyof typeof grants

export const capabilities = Object.keys(grants).filter(isCapability)

/** Capabilities that only their own name gives. `doc.unredacted`: versions from before a redaction. */
const onlyByName: readonly Capability[] = ['doc.unredacted']

/** What `*` stands for. */
export const everyUsualCapability = capabilities.filter((capability) => !onlyByName.includes(capability))

/** Scopes that stand for many capabilities: the usual ones, or those that the PDF's permission bits allow. */
export const specialScopes = ['*', 'pdf.permissions'] as const

const implied: Readonly<Partial<Record<Capability, readonly Capability[]>>> = {
  'doc.annotate.modify': ['doc.annotate.read'],
  'doc.forms.modify': ['doc.forms.fill', 'doc.forms.read'],
  'doc.forms.fill': ['doc.forms.read'],
}

export function isCapability(text: string): text is Capability {
  return Object.hasOwn(grants, text)
}

/**
 * Returns the capabilities that permission bits grant. `permissionBits`: `/P` as an unsigned number; null if the file
 * is not encrypted, so that everything is allowed.
 */
export function permittedBy(permissionBits: number | null): readonly Capability[] {
  return capabilities.filter((capability) => {
    const grant: Grant = grants[capability]
    if (grant === 'always' || grant === 'never') return grant === 'always'
    return grant.some((set) => set.every((bit) => isBitOn(permissionBits, bit)))
  })
}

interface Encryption {
  readonly permissionBits: number | null
  readonly securityHandlerRevision: number | null
}

/**
 * For each permission bit that revision 2 does not define, the bit that governs the same there (ISO 32000-1, table 22).
 */
const governedBy = { fill: 'annotate', accessibility: 'copy', assemble: 'modify', printHigh: 'print' } as const

/** Returns the permission bits of a file as defined from revision 3 on; null if the file is not encrypted. */
export function permissionBitsOf(encryption: Encryption | null): number | null {
  const { permissionBits = null, securityHandlerRevision = null } = encryption ?? {}
  if (permissionBits === null || securityHandlerRevision === null || securityHandlerRevision > 2) return permissionBits
  return (Object.entries(governedBy) as [keyof typeof governedBy, PermissionBit][]).reduce(
    (known, [bit, governing]) => {
      const value = 2 ** (bits[bit] - 1)
      const without = isBitOn(known, bit) ? known - value : known
      return isBitOn(permissionBits, governing) ? without + value : without
    },
    permissionBits,
  )
}

/** Adds every capability that follows from the given ones. */
export function withImplied(current: Iterable<Capability>): ReadonlySet<Capability> {
  const all = new Set(current)
  // A set iterates over members that are added meanwhile, so chains of implications need no second pass.
  for (const capability of all) for (const follows of implied[capability] ?? []) all.add(follows)
  return all
}

/** True if a permission bit is on. `permissionBits`: null = the file is not encrypted. */
export function isBitOn(permissionBits: number | null, bit: PermissionBit): boolean {
  return permissionBits === null || Math.floor(permissionBits / 2 ** (bits[bit] - 1)) % 2 === 1
}
