// Fields of the document in its current state.
import { type FieldsByPage, fieldsOf } from '../engine/form.js'
import type { OpenedDocument } from '../engine/opened-document.js'
import { useRefreshed } from './use-refreshed.js'

const none: FieldsByPage = new Map()

/** Fields that cannot be read are shown by the picture of the page. */
export const useFields = (opened: OpenedDocument): FieldsByPage => useRefreshed(opened, fieldsOf) ?? none
