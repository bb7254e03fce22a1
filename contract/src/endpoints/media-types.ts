export const csvType = 'text/csv; charset=utf-8'
