// The page `/console`: whoever has the API token or a tenant token looks after tenants, documents, shares and tokens.
import '../shared/base.css'
import './console.css'
import { render } from 'preact'
import { language } from '../shared/language.js'
import { App } from './app.js'

document.documentElement.lang = language
const root = document.getElementById('app')
// The page is in the folder of the server.
if (root !== null) render(<App base={new URL('.', location.href)} />, root)
