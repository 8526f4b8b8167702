/** The body of an answer; tests look into answers of every shape. */
// eslint-disable-next-line typescript/no-explicit-any
export async function readJson(response: Response): Promise<any> {
  return response.json()
}
