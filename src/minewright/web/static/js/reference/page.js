// The header of the pages that the server writes: the API reference, and the page for a wrong address.

import { shell } from "../shared/shell.js";

shell({ page: location.pathname, moves: false });
