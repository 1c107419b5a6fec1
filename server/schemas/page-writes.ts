// Bodies of the writes to pages: the members of their ops, where the address says the rest.
import { Type } from 'typebox'
import { AnnotationsFlatten } from '../../workers/contract/ops/annotations-flatten.js'
import { FlattenUsage } from '../../workers/contract/ops/flatten.js'
import { NamedPages } from '../../workers/contract/ops/named-pages.js'
import { PagesDelete } from '../../workers/contract/ops/pages-delete.js'
import { PagesInsert } from '../../workers/contract/ops/pages-insert.js'
import { PagesInsertBlank } from '../../workers/contract/ops/pages-insert-blank.js'
import { PagesRemoveName } from '../../workers/contract/ops/pages-remove-name.js'
import { PagesReorder } from '../../workers/contract/ops/pages-reorder.js'
import { PagesRotate } from '../../workers/contract/ops/pages-rotate.js'
import { PagesSetName } from '../../workers/contract/ops/pages-set-name.js'
import { PagesSetScale } from '../../workers/contract/ops/pages-set-scale.js'
import { strict } from '../../workers/contract/ops/strict.js'

const { type: _reorder, ...reorderMembers } = PagesReorder.op.properties
export const ReorderBody = Type.Object(reorderMembers, strict)

const { type: _insert, ...insertMembers } = PagesInsert.op.properties
export const InsertBody = Type.Object(insertMembers, strict)

const { type: _delete, ...deleteMembers } = PagesDelete.op.properties
export const DeleteBody = Type.Object(deleteMembers, strict)

const { type: _rotate, ...rotateMembers } = PagesRotate.op.properties
export const RotateBody = Type.Object(rotateMembers, strict)

const { type: _insertBlank, ...insertBlankMembers } = PagesInsertBlank.op.properties
export const InsertBlankBody = Type.Object(insertBlankMembers, strict)

const { type: _setName, ...setNameMembers } = PagesSetName.op.properties
export const SetNameBody = Type.Object(setNameMembers, strict)

const { type: _removeName, ...removeNameMembers } = PagesRemoveName.op.properties
export const RemoveNameBody = Type.Object(removeNameMembers, strict)

/** Nothing takes the scale away, as null does. */
export const ScaleBody = Type.Object({ measure: Type.Optional(PagesSetScale.op.properties.measure) }, strict)

/** Only an empty body means all pages, as a screen shows them: a flatten cannot be undone. */
export const FlattenBody = Type.Union([
  Type.Object({ pages: NamedPages, usage: Type.Optional(FlattenUsage) }, strict),
  Type.Object({}, strict),
])

const { refs, usage } = AnnotationsFlatten.op.properties
export const AnnotationsFlattenBody = Type.Object({ refs, usage }, strict)
