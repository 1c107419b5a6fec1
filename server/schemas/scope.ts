// Words of a document token's scope. OpenAPI lists them; the scope parser checks them, so that its error names the
// unknown one.
import { Type } from 'typebox'
import { capabilities, specialScopes } from '../../workers/contract/capabilities.js'
import { collabActions } from '../auth/collab.js'

/** Scope word of shares and tokens. */
export const ShareScopeWord = Type.String({ minLength: 1, maxLength: 128 })
export const TokenScopeWord = Type.String({ minLength: 1, maxLength: 300 })

export const DocumentedScopeWord = {
  anyOf: [
    {
      type: 'string',
      enum: [...capabilities, ...specialScopes],
      description:
        'A capability; `*` = all capabilities but `doc.unredacted`, which only its own name gives; `pdf.permissions` = those that the permission bits of the file allow.',
    },
    {
      type: 'string',
      pattern: `^annotations:(${collabActions.map((action) => (action === '*' ? '\\*' : action)).join('|')}):(all|self|createdBy=.+|group=.+)$`,
      description:
        'Collaboration scope: the annotations that may be created, updated, deleted or moved to a group; refines `doc.annotate.modify`.',
    },
  ],
}
