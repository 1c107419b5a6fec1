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
    <label class="field">
      <span>{label}</span>
      <input
        type={type}
        value={value}
        required={isNeeded}
        maxLength={maxLength}
        autocomplete="off"
        spellcheck={false}
        {...(pattern === undefined ? {} : { pattern })}
        {...(hint === undefined ? {} : { 'aria-describedby': id })}
        onInput={({ currentTarget }) => onValue(currentTarget.value)}
      />
      {hint !== undefined && <small id={id}>{hint}</small>}
    </label>
  )
}

interface ChoiceFieldProps extends FieldProps {
  readonly value: string
  readonly onValue: (value: string) => void
  readonly children: ComponentChildren
}

/** `children`: options. */
export const ChoiceField = ({ label, value, onValue, children }: ChoiceFieldProps) => (
  <label class="field">
    <span>{label}</span>
    <select value={value} onChange={({ currentTarget }) => onValue(currentTarget.value)}>
      {children}
    </select>
  </label>
)

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
