// Expressions that are evaluated in the page. They are texts, because these tests are compiled without the types of
// browsers.

/** True while the active mark of a search is on the page with this number. */
export const hasMark = (page: number): string => `Boolean(${activeMark(page)})`

/** Boxes on the screen: of the active mark of a search, and of the visible part of the page. */
export const boxes = (page: number): string => `(() => {
  const boxOf = (element) => element?.getBoundingClientRect() ?? new DOMRect()
  const [seen, whole] = [boxOf(document.querySelector('.viewport')), boxOf(${picture(page)})]
  const [x, y] = [Math.ceil(Math.max(whole.x, seen.x)), Math.ceil(Math.max(whole.y, seen.y))]
  const width = Math.floor(Math.min(whole.right, seen.right) - x)
  const height = Math.floor(Math.min(whole.bottom, seen.bottom) - y)
  return JSON.stringify({ mark: boxOf(${activeMark(page)}), clip: { x, y, width, height } })
})()`

/** Resolves when the picture of a page can be seen, without the marks on it. */
export const bare = (page: number): string => `(async () => {
  await ${picture(page)}.decode()
  for (const mark of ${marks(page)}) mark.style.background = 'transparent'
})()`

const elements = (page: number): string => `[...document.querySelectorAll('.page[data-page="${page}"] div')]`
const picture = (page: number): string => `document.querySelector('.page[data-page="${page}"] img')`
const marks = (page: number): string =>
  `${elements(page)}.filter((one) => getComputedStyle(one).backgroundColor.startsWith('rgba(255'))`
const activeMark = (page: number): string =>
  `${elements(page)}.find((one) => getComputedStyle(one).backgroundColor.startsWith('rgba(255, 138, 0'))`

/** Counts the sheets instead of printing them. */
export const countSheets = `window.print = () => {
  document.title = document.querySelectorAll('.sheet').length + ' sheets'
}`

export const clipboardText = 'navigator.clipboard.readText()'

/** Name or text of what has the focus. */
export const focused = `document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? ''`

export const widths = `[document.documentElement.scrollWidth, document.documentElement.clientWidth]`

/** Number of entries in the stores of the window, and its cookies, as JSON. */
export const stored = 'JSON.stringify([localStorage.length, sessionStorage.length, document.cookie])'

/** Drops a file on the page. */
export const dropFile = (name: string, base64: string): string => `(() => {
  const dataTransfer = new DataTransfer()
  const bytes = Uint8Array.from(atob('${base64}'), (one) => one.charCodeAt(0))
  dataTransfer.items.add(new File([bytes], '${name}', { type: 'application/pdf' }))
  for (const type of ['dragover', 'drop']) {
    document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
  }
})()`
