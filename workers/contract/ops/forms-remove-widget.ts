// Detaches a widget from its field. The field stays, even without any widget.
import { AnnotationRef } from '../annotation-ref.js'
import { FormFieldRef } from '../form-field-ref.js'
import { changedField } from '../form-results.js'
import { modifyingForms } from './needs.js'
import { opContract } from './op-contract.js'

export const FormsRemoveWidget = opContract({
  type: 'forms.removeWidget',
  summary: 'Detach a widget from its field, which stays',
  op: { field: FormFieldRef, widget: AnnotationRef },
  item: changedField,
  names: { annotations: ({ widget }) => [widget], fields: ({ field }) => [field] },
  needs: modifyingForms,
  protection: 'content',
  carries: 'document',
  isBatchable: true,
})
