// A state in one word, with a colour that is never the only sign of it.

export type Tone = 'good' | 'wait' | 'bad' | 'quiet'

export const Chip = ({ tone, label }: { readonly tone: Tone; readonly label: string }) => (
  <span class={`chip ${tone}`}>{label}</span>
)
