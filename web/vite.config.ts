import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Where the service is while the dashboard is worked on: `npm run dev --workspace web`. */
const service = 'http://localhost:3000'

export default defineConfig({
  base: '/app/',
  plugins: [react(), tailwindcss()],
  build: { target: 'es2023', assetsInlineLimit: 0, reportCompressedSize: false },
  server: { proxy: { '/api': service, '/docs': service } },
})
