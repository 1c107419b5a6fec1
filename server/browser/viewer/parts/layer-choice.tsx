// Choice among the layers of the document that the link of the page shows.
import { text } from '../../shared/texts.js'

interface LayerChoiceProps {
  /** Layer that is shown, or could not be. */
  readonly layer: string
  readonly layers: readonly string[]
}

export function LayerChoice({ layer, layers }: LayerChoiceProps) {
  const others = layers.filter((one) => one !== layer)
  if (others.length === 0) return null
  const choose = (chosen: string) => {
    const address = new URL(location.href)
    address.searchParams.set('layer', chosen)
    // Each layer has its own token, so the page is loaded with it.
    location.assign(address)
  }
  return (
    <select
      class="layer-choice"
      aria-label={text('layer')}
      value={layer}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    >
      {(layers.includes(layer) ? layers : [layer, ...others]).map((one) => (
        <option key={one} value={one}>
          {one}
        </option>
      ))}
    </select>
  )
}
