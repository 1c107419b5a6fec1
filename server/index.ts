// What `steward/server` gives to programs that embed the document server.
export { buildApp } from './lifecycle/app.js'
export { openDeployment } from './lifecycle/open-deployment.js'
export { type RunningServer, type StartOptions, startServer } from './lifecycle/start.js'
export type { Config } from './settings/config.js'
export { readSettings } from './settings/settings.js'
