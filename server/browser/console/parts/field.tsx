// Fields of forms, each with its label and, where it helps, a line that explains it.
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

interface FieldProps {
  readonly label: string
  readonly hint?: string | undefined
}

interface TextFieldProps extends FieldProps {
  readonly value: string
  readonly onValue: (value: string) => void
  readonly type?: 'text' | 'password' | 'search'
  readonly isNeeded?: boolean
  readonly pattern?: string
  readonly maxLength?: number
}

export function TextField(props: TextFieldProps) {
  const { label, hint, value, onValue, type = 'text', isNeeded = false, maxLength = 256, pattern } = props
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type={type}
        value={value}
        required={isNeeded}
        maxLength={maxLength}
        autocomplete="off"
        spellcheck={false}
        {...(pattern === undefined ? {} : { pattern })}
        {...(hint === undefined ? {} : { 'aria-describedby': `${id}-hint` })}
        onInput={({ currentTarget }) => onValue(currentTarget.value)}
      />
      {hint !== undefined && <small id={`${id}-hint`}>{hint}</small>}
    </div>
  )
}

interface ChoiceFieldProps extends FieldProps {
  readonly value: string
  readonly onValue: (value: string) => void
  readonly children: ComponentChildren
}

/** `children`: options. */
export function ChoiceField({ label, value, onValue, children }: ChoiceFieldProps) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={({ currentTarget }) => onValue(currentTarget.value)}>
        {children}
      </select>
    </div>
  )
}

interface CheckFieldProps {
  readonly label: string
  readonly isChecked: boolean
  readonly onChecked: (isChecked: boolean) => void
}

export const CheckField = ({ label, isChecked, onChecked }: CheckFieldProps) => (
  <label class="check">
    <input type="checkbox" checked={isChecked} onChange={({ currentTarget }) => onChecked(currentTarget.checked)} />
    {label}
  </label>
)
