// What `steward/server` gives to programs that embed the document server.
export { buildApp } from './app.js'
export type { Config } from './config.js'
export { openDeployment } from './open-deployment.js'
export { readSettings } from './settings.js'
export { type RunningServer, type StartOptions, startServer } from './start.js'
