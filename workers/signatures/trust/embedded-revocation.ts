// Reads the OCSP responses and CRLs that a signature contains: those in Adobe's attribute (ISO 32000-2, 12.8.3.3.2),
// and the CRLs of the CMS.
import { Asn1Error, encodingOf, tags } from '../asn1/element.js'
import { explicit, listOf, Members } from '../asn1/members.js'
import { attributeOids } from '../cms/attributes.js'
import type { SignedData } from '../cms/signed-data.js'
import type { RevocationSource } from './revocation.js'

export function embeddedRevocation(cms: SignedData | undefined): RevocationSource {
  const [archive] = cms?.signer.signedAttributes?.values.get(attributeOids.revocationArchive) ?? []
  const none = { ocsps: [], crls: [] }
  const archived =
    archive === undefined ? none : attempted(() => archivedIn(Members.of(archive, 'RevocationInfoArchival')))
  return { source: 'embedded', ocsps: archived.ocsps, crls: [...archived.crls, ...(cms?.crls ?? [])] }
}

function archivedIn(members: Members) {
  const [crls, ocsps] = [members.context(0), members.context(1)].map((list) =>
    list === undefined ? [] : listOf(explicit(list), tags.sequence, 'RevocationInfoArchival').map(encodingOf),
  )
  return { crls: crls ?? [], ocsps: ocsps ?? [] }
}

/** Returns empty lists for an attribute that cannot be read. */
function attempted(work: () => Pick<RevocationSource, 'ocsps' | 'crls'>): Pick<RevocationSource, 'ocsps' | 'crls'> {
  try {
    return work()
  } catch (error) {
    if (error instanceof Asn1Error) return { ocsps: [], crls: [] }
    throw error
  }
}
