// Links to the parts of a tenant or document.

export interface TabLink {
  readonly address: string
  readonly label: string
  readonly isCurrent: boolean
}

export const Tabs = ({ label, links }: { readonly label: string; readonly links: readonly TabLink[] }) => (
  <nav class="tab-links" aria-label={label}>
    {links.map(({ address, label: name, isCurrent }) => (
      <a key={address} href={address} {...(isCurrent ? { 'aria-current': 'page' } : {})}>
        {name}
      </a>
    ))}
  </nav>
)
