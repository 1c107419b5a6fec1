// List of all form families. A new family is added by one line.
export { Checkbox } from './checkbox.js'
export { Combobox } from './combobox.js'
export { Listbox } from './listbox.js'
export { Pushbutton } from './pushbutton.js'
export { Radio } from './radio.js'
export { Signature } from './signature.js'
export { Text } from './text.js'
export { Unknown } from './unknown.js'
