// The process in which `quickCheck` reads a file.
import Sqlite from 'better-sqlite3'

const findingsMax = 10

const [file = ''] = process.argv.slice(2)
process.send?.(findingsIn(file))
process.disconnect()

function findingsIn(path: string): string[] {
  const connection = new Sqlite(path, { readonly: true })
  try {
    return connection.prepare<[], string>(`pragma quick_check(${findingsMax})`).pluck().all()
  } catch (error) {
    // For example, a page is unreadable.
    return [error instanceof Error ? error.message : String(error)]
  } finally {
    connection.close()
  }
}
