// Links to the parts of a tenant or document.
import { useEffect, useRef } from 'preact/hooks'

export interface TabLink {
  readonly address: string
  readonly label: string
  readonly isCurrent: boolean
}

export function Tabs({ label, links }: { readonly label: string; readonly links: readonly TabLink[] }) {
  const strip = useRef<HTMLElement>(null)
  const current = links.find(({ isCurrent }) => isCurrent)?.address
  // On narrow screens the strip is wider than the screen.
  useEffect(() => {
    strip.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [current])
  return (
    <nav ref={strip} class="tab-links" aria-label={label}>
      {links.map(({ address, label: name, isCurrent }) => (
        <a key={address} href={address} {...(isCurrent ? { 'aria-current': 'page' } : {})}>
          {name}
        </a>
      ))}
    </nav>
  )
}
