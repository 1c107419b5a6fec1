// The fields of a page, which can be filled in. The picture of the page shows their values; the control of a field is seen
// while it is used.
import { useEffect, useState } from 'preact/hooks'
import type { FormFieldValue } from '../../../../workers/contract/field-value.js'
import type { FormField } from '../../../../workers/contract/form-field.js'
import type { Edits } from '../engine/edits.js'
import type { PlacedField } from '../engine/form.js'
import { boxStyle } from './box-style.js'

interface FieldLayerProps {
  readonly fields: readonly PlacedField[]
  readonly edits: Edits
  /** Pixels per unit of the page. */
  readonly pixels: number
  readonly onProblem: (error: unknown) => void
}

export function FieldLayer({ fields, edits, pixels, onProblem }: FieldLayerProps) {
  return (
    <>
      {fields.map((placed) => {
        const { field, widget, key } = placed
        const style = {
          ...boxStyle(widget.rect, pixels),
          fontSize: `${Math.min(widget.rect.height * 0.7, widget.fontSize || 12) * pixels}px`,
        }
        const onValue = async (value: FormFieldValue) => {
          try {
            await edits.apply([{ type: 'forms.setValue', field: field.ref, value }])
            return true
          } catch (error) {
            onProblem(error)
            return false
          }
        }
        return (
          // Drags inside a field select its text, not that of the page.
          <div key={key} class="field" style={style} onPointerDown={(event) => event.stopPropagation()}>
            <Control placed={placed} onValue={onValue} />
          </div>
        )
      })}
    </>
  )
}

/** Returns false if the value was refused. */
type SendValue = (value: FormFieldValue) => Promise<boolean>

interface ControlProps {
  readonly placed: PlacedField
  readonly onValue: SendValue
}

const labelOf = ({ alternateName, name }: FormField): string => alternateName ?? name

function Control({ placed, onValue }: ControlProps) {
  const { field, toggle } = placed
  const label = { 'aria-label': labelOf(field), required: field.required }
  switch (field.family) {
    case 'checkbox': {
      const send = (checked: boolean) => onValue({ checked })
      return <ToggleControl {...label} type="checkbox" isOn={toggle?.checked ?? field.checked} onToggle={send} />
    }
    case 'radio': {
      const send = () => onValue({ value: toggle?.exportValue ?? null })
      const choice = { 'aria-label': `${labelOf(field)}: ${toggle?.exportValue ?? ''}` }
      return (
        <ToggleControl
          {...label}
          {...choice}
          type="radio"
          name={field.name}
          isOn={toggle?.checked ?? false}
          onToggle={send}
        />
      )
    }
    case 'listbox':
      return (
        <select
          {...label}
          multiple={field.multiSelect}
          size={2}
          onChange={({ currentTarget }) =>
            void onValue({ selectedValues: [...currentTarget.selectedOptions].map(({ value }) => value) })
          }
        >
          <Options field={field} />
        </select>
      )
    case 'combobox':
      if (field.edit) return <TextControl label={labelOf(field)} field={field} onValue={onValue} />
      return (
        <select {...label} onChange={({ currentTarget }) => void onValue({ value: currentTarget.value })}>
          <option value="" />
          <Options field={field} />
        </select>
      )
    case 'text':
      return <TextControl label={labelOf(field)} field={field} onValue={onValue} />
    default:
      return null
  }
}

interface ToggleControlProps {
  readonly 'aria-label': string
  readonly required: boolean
  readonly type: 'checkbox' | 'radio'
  readonly name?: string
  readonly isOn: boolean
  readonly onToggle: (isOn: boolean) => Promise<boolean>
}

/** Shows what was chosen until the server has it, whatever else is changed meanwhile. */
function ToggleControl({ isOn, onToggle, ...members }: ToggleControlProps) {
  const [chosen, setChosen] = useState<boolean | undefined>()
  // The choice ends with the change of the value.
  useEffect(() => setChosen(undefined), [isOn])
  const toggle = async ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => {
    setChosen(currentTarget.checked)
    if (!(await onToggle(currentTarget.checked))) setChosen(undefined)
  }
  return <input {...members} checked={chosen ?? isOn} onChange={(event) => void toggle(event)} />
}

const Options = ({ field }: { readonly field: Extract<FormField, { readonly family: 'combobox' | 'listbox' }> }) => (
  <>
    {field.options.map(({ label, value, selected }) => (
      <option key={value} value={value} selected={selected}>
        {label}
      </option>
    ))}
  </>
)

interface TextControlProps {
  readonly label: string
  readonly field: Extract<FormField, { readonly family: 'combobox' | 'text' }>
  readonly onValue: SendValue
}

/** Sends the text when the field is left; Escape takes it back. */
function TextControl({ label, field, onValue }: TextControlProps) {
  const [typed, setTyped] = useState<string | undefined>()
  const isMultiline = field.family === 'text' && field.multiline
  const leave = async () => {
    // A value that was not stored stays, to be sent again.
    if (typed === undefined || typed === field.value || (await onValue({ value: typed }))) setTyped(undefined)
  }
  const members = {
    'aria-label': label,
    required: field.required,
    value: typed ?? field.value,
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) => setTyped(currentTarget.value),
    onBlur: () => void leave(),
    'data-unsent': typed !== undefined && typed !== field.value,
    onKeyDown: (event: KeyboardEvent & { readonly currentTarget: HTMLElement }) => {
      if (event.key === 'Escape') setTyped(undefined)
      if (event.key === 'Enter' && !isMultiline) event.currentTarget.blur()
    },
    ...(field.family === 'text' && field.maxLength !== null && { maxLength: field.maxLength }),
  }
  if (isMultiline) return <textarea {...members} />
  const isSecret = field.family === 'text' && field.password
  const choices = field.family === 'combobox' ? field.options.map(({ value }) => value) : []
  const id = `choices of ${field.name}`
  return (
    <>
      <input
        {...members}
        type={isSecret ? 'password' : 'text'}
        autocomplete="off"
        {...(choices.length > 0 && { list: id })}
      />
      {choices.length > 0 && (
        <datalist id={id}>
          {choices.map((value) => (
            <option key={value} value={value} />
          ))}
        </datalist>
      )}
    </>
  )
}
