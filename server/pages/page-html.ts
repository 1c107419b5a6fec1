// HTML of a page. It is the same for everybody: what it shows comes from its own requests, with a token that the server
// never sees in an address.
import type { BuiltPage } from './built-pages.js'

/**
 * Addresses are relative, so that the pages work behind any path prefix of a proxy. `root`: the folder of the server as
 * seen from the page, `../` for a page that is one folder down.
 */
export const pageHtml = (title: string, root: string, { script, style }: BuiltPage): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${root}pages/${style}">
<script type="module" src="${root}pages/${script}"></script>
</head>
<body>
<div id="app"></div>
<div id="paper"></div>
<noscript>This page needs JavaScript.</noscript>
</body>
</html>
`

/**
 * Nothing is loaded from anywhere else, nothing that a document contains is run, and no other site shows the page inside
 * its own.
 */
export const pageHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' blob: data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'Referrer-Policy': 'no-referrer',
}
